# The image of docrag: web, worker and migrate are the same image with another command.
FROM python:3.13-slim-bookworm AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
RUN python -m venv /opt/docrag
COPY setup.cfg pyproject.toml README.md ./
COPY migrations migrations
COPY docrag docrag
# pip compiles what it installs; without bytecode a start takes three times as long.
RUN /opt/docrag/bin/python -m pip install --compile ".[e5]"

FROM python:3.13-slim-bookworm

# What reads scanned pages. The newest of the distribution, as its security updates want.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends tesseract-ocr tesseract-ocr-tur tesseract-ocr-osd \
    && rm -rf /var/lib/apt/lists/*

# The account owns nothing but the instance folder; 10001 is outside the host's own accounts.
RUN useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin docrag \
    && install -d -o docrag -g docrag -m 0700 /var/lib/docrag
COPY --from=build /opt/docrag /opt/docrag

ENV PATH="/opt/docrag/bin:$PATH" \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    OMP_NUM_THREADS=1 \
    HOME=/var/lib/docrag \
    DOCRAG_INSTANCE=/var/lib/docrag \
    DOCRAG_HOST=0.0.0.0 \
    PORT=8000
USER 10001
WORKDIR /var/lib/docrag
VOLUME ["/var/lib/docrag"]
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/healthz', timeout=4)"]
ENTRYPOINT ["docrag"]
CMD ["serve"]
