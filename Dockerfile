# lookalike in a container: docker build -t lookalike . && docker run --rm -v "$PWD:/data" lookalike dedup in.jsonl -o out
FROM debian:bookworm
RUN apt-get update && apt-get install -y --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/lookalike
COPY . .
RUN make build && rm -rf build/ccache /var/lib/apt/lists/*
WORKDIR /data
ENTRYPOINT ["/opt/lookalike/build/release/bin/lookalike"]
