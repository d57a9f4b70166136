"""The contract of every embedder."""

from __future__ import annotations

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from docrag.api import Embedder, Vectors

#: Texts of different lengths, with dotted and dotless letters.
TEXTS = (
    "Yangın tüpleri her altı ayda bir kontrol edilir.",
    "İşveren, çalışanların sağlık gözetimini sağlar.",
    "Iğdır şubesinde yıllık izin formu",
    "The annual report is published in March.",
)
#: Cosine from which two vectors count as the same; 4-bit engines differ in the last digits.
SAME = 0.999


class EmbedderContract:
    """Inherit in a test class and give the embedder; every test of this class must pass."""

    def embedder(self) -> Embedder:
        """The embedder under test; the same object may be given to every test."""
        raise NotImplementedError

    def test_embedder_offers_protocol(self) -> None:
        """It has the protocol's attributes and methods."""
        embedder = self.embedder()
        assert isinstance(embedder, Embedder)
        assert embedder.model_id
        assert embedder.dim > 0

    def test_documents_give_one_row_each(self) -> None:
        """Shape and type of the array."""
        embedder = self.embedder()
        rows = embedder.embed_documents(TEXTS)
        assert rows.shape == (len(TEXTS), embedder.dim)
        assert rows.dtype == np.float32

    def test_query_gives_one_vector(self) -> None:
        """Shape and type of a question's vector."""
        embedder = self.embedder()
        vector = embedder.embed_query(TEXTS[0])
        assert vector.shape == (embedder.dim,)
        assert vector.dtype == np.float32

    def test_rows_have_length_one(self) -> None:
        """Euclidean length of documents and questions."""
        embedder = self.embedder()
        rows = [*embedder.embed_documents(TEXTS), embedder.embed_query(TEXTS[1])]
        assert np.allclose([np.linalg.norm(row) for row in rows], 1.0, atol=1e-3)

    def test_no_texts_give_no_rows(self) -> None:
        """An empty input keeps the dimension."""
        embedder = self.embedder()
        assert embedder.embed_documents([]).shape == (0, embedder.dim)

    def test_rows_keep_input_order(self) -> None:
        """A text has the same vector at every place of a batch."""
        embedder = self.embedder()
        forward = embedder.embed_documents(TEXTS)
        backward = embedder.embed_documents(TEXTS[::-1])
        assert _same(forward, backward[::-1])
        assert not _same(forward, backward)

    def test_equal_texts_give_equal_vectors(self) -> None:
        """Twice the same text, in one batch and alone."""
        embedder = self.embedder()
        rows = embedder.embed_documents([TEXTS[0], TEXTS[0]])
        alone = embedder.embed_documents([TEXTS[0]])
        assert _same(rows[:1], rows[1:])
        assert _same(rows[:1], alone)

    def test_decomposed_text_gives_same_vector(self) -> None:
        """Turkish letters written with combining marks."""
        embedder = self.embedder()
        apart = [unicodedata.normalize("NFD", text) for text in TEXTS[:2]]
        assert _same(embedder.embed_documents(apart), embedder.embed_documents(TEXTS[:2]))
        question = embedder.embed_query(apart[0])
        assert _same(question[np.newaxis], embedder.embed_query(TEXTS[0])[np.newaxis])

    def test_own_text_is_nearest(self) -> None:
        """A question in the words of a text is nearer to it than to the others."""
        embedder = self.embedder()
        scores = embedder.embed_documents(TEXTS) @ embedder.embed_query(TEXTS[0])
        assert int(np.argmax(scores)) == 0

    def test_odd_text_gives_finite_vector(self) -> None:
        """A NUL, a lone surrogate, an emoji."""
        rows = self.embedder().embed_documents(["baş\0son", "yarım \ud83d", "tamam 👍"])
        assert np.isfinite(rows).all()

    def test_text_after_nul_counts(self) -> None:
        """A NUL does not end the text."""
        rows = self.embedder().embed_documents(["izin\0yangın tüpü kontrolü", "izin"])
        assert not _same(rows[:1], rows[1:])

    def test_threads_share_embedder(self) -> None:
        """Four threads at a time get what one gets."""
        embedder = self.embedder()
        alone = embedder.embed_documents(TEXTS[:2])
        with ThreadPoolExecutor(max_workers=4) as pool:
            rows = list(pool.map(lambda _: embedder.embed_documents(TEXTS[:2]), range(4)))
        assert all(_same(alone, found) for found in rows)


def _same(left: Vectors, right: Vectors) -> bool:
    return bool((np.sum(left * right, axis=1) > SAME).all())
