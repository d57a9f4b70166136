"""Writes the sample safety instruction as PDF; needs fpdf2 and DejaVu fonts, for developers only.

Run ``python eval/make_samples.py FONT_FOLDER`` after changing the text, and look at the pages.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF  # type: ignore[import-untyped]  # developers install it by hand

#: Where the sample documents of the package live.
TARGET = Path(__file__).parent.parent / "docrag" / "samples" / "is_guvenligi_talimati.pdf"
#: Fixed date, so that the same text gives the same file.
CREATED = datetime(2026, 1, 5, tzinfo=UTC)
TITLE = "İş Sağlığı ve Güvenliği Talimatı"
#: Its words; marks at the start of a line: section, article title, table row; "===" starts a page.
SOURCE = Path(__file__).with_name("is_guvenligi_talimati.txt")


class Instruction(FPDF):  # type: ignore[misc]  # fpdf2 is not there when types are checked
    """A page layout with a running head and printed page numbers."""

    def header(self) -> None:
        """Print the running head of every page."""
        self.set_font("DejaVu", size=8)
        self.cell(0, 6, "TL-İSG-001   Revizyon: 05   Yürürlük tarihi: 05.01.2026", align="L")
        self.ln(10)

    def footer(self) -> None:
        """Print the page number of every page."""
        self.set_y(-15)
        self.set_font("DejaVu", size=8)
        self.cell(0, 6, f"Sayfa {self.page_no()} / {{nb}}", align="C")


def write_line(pdf: Instruction, line: str) -> None:
    """Print one source line by its mark."""
    if line.startswith("# "):
        pdf.set_font("DejaVu", "B", 12)
        pdf.multi_cell(0, 7, line[2:], align="C", new_x="LMARGIN", new_y="NEXT")
    elif line.startswith("## "):
        pdf.ln(1.5)
        pdf.set_font("DejaVu", "B", 10)
        pdf.multi_cell(0, 6, line[3:], align="L", new_x="LMARGIN", new_y="NEXT")
    else:
        pdf.set_font("DejaVu", size=10)
        pdf.multi_cell(0, 5.4, line, align="L", new_x="LMARGIN", new_y="NEXT")


def write_table(pdf: Instruction, rows: list[str]) -> None:
    """Print table rows, cells between bars, the first one as head."""
    pdf.ln(1)
    pdf.set_font("DejaVu", size=9)
    with pdf.table(line_height=6, width=170, col_widths=(50, 75, 45), text_align="LEFT") as table:
        for row in rows:
            table.row([cell.strip() for cell in row.strip("| ").split("|")])
    pdf.ln(2)


def main(fonts: Path) -> None:
    """Write the PDF with fonts from a folder that holds DejaVuSans.ttf and DejaVuSans-Bold.ttf."""
    pdf = Instruction(format="A4")
    pdf.set_creation_date(CREATED)
    pdf.set_title(TITLE)
    pdf.set_lang("tr")
    pdf.set_margins(20, 15)
    pdf.set_auto_page_break(auto=True, margin=20)
    pdf.add_font("DejaVu", fname=fonts / "DejaVuSans.ttf")
    pdf.add_font("DejaVu", style="B", fname=fonts / "DejaVuSans-Bold.ttf")
    pdf.add_page()
    pdf.set_font("DejaVu", "B", 15)
    pdf.multi_cell(
        0, 10, "İŞ SAĞLIĞI VE GÜVENLİĞİ TALİMATI", align="C", new_x="LMARGIN", new_y="NEXT"
    )
    rows: list[str] = []
    for line in [*SOURCE.read_text("utf-8").splitlines(), ""]:
        if line.startswith("|"):
            rows.append(line)
            continue
        if rows:
            write_table(pdf, rows)
            rows = []
        if line == "===":
            pdf.add_page()
        elif line:
            write_line(pdf, line)
    pdf.output(str(TARGET))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
