# dialoom with the collection server; commands work on the folder mounted at /work.
FROM python:3.11-slim
COPY pyproject.toml constraints.txt README.md LICENSE /dialoom/
COPY src /dialoom/src
RUN pip install --no-cache-dir --constraint /dialoom/constraints.txt '/dialoom[collect]'
WORKDIR /work
EXPOSE 8000
ENTRYPOINT ["dialoom"]
CMD ["--help"]
