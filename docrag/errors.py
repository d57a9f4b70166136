"""Errors by who must act; none of them knows about HTTP, and no message holds a secret."""

from __future__ import annotations

from collections.abc import Sequence


class DocragError(Exception):
    """Root of every error that docrag raises on purpose."""


class SettingsError(DocragError):
    """A setting or a plugin option is wrong; the operator must change it."""


class PluginError(DocragError):
    """A plugin could not be found, chosen or loaded."""


class PluginNotFound(PluginError):
    """No installed plugin of this kind has this name."""

    def __init__(self, kind: str, name: str, installed: Sequence[str]) -> None:
        self.kind = kind
        self.name = name
        self.installed = tuple(installed)
        names = ", ".join(self.installed) or "none"
        super().__init__(f"no plugin {name!r} in docrag.{kind}; installed: {names}")


class DuplicatePlugin(PluginError):
    """Two installed distributions offer the same plugin name."""

    def __init__(self, kind: str, name: str, distributions: Sequence[str]) -> None:
        self.kind = kind
        self.name = name
        self.distributions = tuple(distributions)
        both = " and ".join(self.distributions)
        super().__init__(
            f"plugin {name!r} in docrag.{kind} comes from {both}; "
            f"choose one with DOCRAG_PLUGIN_CHOICE={kind}.{name}={self.distributions[0]}"
        )


class DocumentError(DocragError):
    """A document cannot be taken as it is; whoever brought it must act."""


class UnsupportedDocument(DocumentError):
    """No loader reads this kind of file, or its content is not what its name says."""


class LoaderError(DocumentError):
    """A loader could not read the file; the message tells a clerk why."""


class OcrUnavailable(DocragError):
    """Text recognition cannot be used now; the message tells the operator what is missing."""


class JudgeError(DocragError):
    """A judge could not be asked; the answer stands as it was checked without it."""


class DuplicateDocument(DocumentError):
    """The same bytes are already stored."""

    def __init__(self, document_id: str, filename: str) -> None:
        self.document_id = document_id
        self.filename = filename
        super().__init__(f"{filename!r} is already stored as document {document_id}")


class DocumentNotFound(DocumentError):
    """No document with this identifier that the caller may read."""

    def __init__(self, document_id: str) -> None:
        self.document_id = document_id
        super().__init__(f"document {document_id!r} was not found")


class EmbedderError(DocragError):
    """The embedder failed, or answered with something that is not its vectors."""

    def __init__(
        self, message: str, *, indices: Sequence[int] = (), too_long: Sequence[int] = ()
    ) -> None:
        """Keep which texts are at fault.

        :param indices: positions, from 0, of the given texts that failed while the others were
            fine; empty when the embedder as a whole failed, so that trying again later may help.
        :param too_long: those of ``indices`` that were refused for their length; cutting helps.
        """
        self.indices = tuple(indices)
        self.too_long = tuple(too_long)
        super().__init__(message)


class RerankerError(DocragError):
    """The reranker failed, or answered with something that is not a score for each chunk."""


class LLMError(DocragError):
    """The language model failed before or while it wrote."""


class LLMUnavailable(LLMError):
    """The model's server cannot be reached, is busy or failed; the same request may work later.

    Raised before the first piece only: the one failure after which a request may be sent again.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        """Keep how long the server asks to be left alone.

        :param retry_after: seconds, 0 or more; ``None`` where it does not say.
        """
        self.retry_after = retry_after
        super().__init__(message)


class LLMTimeout(LLMError):
    """The language model did not answer in time."""


class LLMRefused(LLMError):
    """The language model's server refused the request, for one because the prompt is too long."""


class AnswerCutShort(LLMError):
    """The language model used up its tokens before the first word of its answer."""


class PromptTooLong(LLMRefused):
    """Question, rules and conversation do not fit the model's context window."""


class AccessDenied(DocragError):
    """The caller is known but may not do this."""


class UnknownName(DocragError):
    """A user, role or key that does not exist was named."""

    def __init__(self, kind: str, name: str, known: Sequence[str] = ()) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(known)
        hint = f"; known: {', '.join(self.known)}" if self.known else ""
        super().__init__(f"no {kind} {name!r}{hint}")


class NameTaken(DocragError):
    """A user or role of this name exists already."""

    def __init__(self, kind: str, name: str) -> None:
        self.kind = kind
        self.name = name
        super().__init__(f"{kind} {name!r} exists already")


class LastAdmin(DocragError):
    """The change would leave nobody who can administer docrag."""

    def __init__(self, username: str) -> None:
        self.username = username
        super().__init__(
            f"{username!r} is the last active administrator; make another user one first"
        )


class StoreError(DocragError):
    """The database refused or broke; the operator must act."""


class StoreUnavailable(StoreError):
    """The database cannot be reached just now."""
