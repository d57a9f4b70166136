"""A PDF of one page, small enough to be written by hand."""

from __future__ import annotations


def pdf(line: str) -> bytes:
    """A PDF with one page that holds one line (ISO 32000-1, section 7.5).

    :param line: ASCII without parentheses and backslashes.
    """
    drawing = f"BT /F1 12 Tf 40 800 Td ({line}) Tj ET"
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 2400 842] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(drawing)} >>\nstream\n{drawing}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    file, starts = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        starts.append(len(file))
        file += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{start:010d} 00000 n \n" for start in starts)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return f"{file}{end}startxref\n{len(file)}\n%%EOF\n".encode("ascii")
