# docker build -t crier .            (for both architectures: docker buildx build --platform linux/amd64,linux/arm64 .)
# docker run -p 3000:3000 -v crier:/data -e ALLOW_INSECURE=1 crier
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci && npm run build:dashboard

# Without the packages of the dashboard, which are part of its build, and the headers of Node.
FROM node:22-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/require-npm-node.js scripts/
RUN npm ci --omit=dev --workspaces=false --include-workspace-root \
 && rm -r node_modules/node/node_modules/node-*/include

# The package "node" in node_modules is the Node that runs Crier, so the image needs none of its own, but its library.
FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates libatomic1 tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /data crier \
 && install -d -o crier -g crier -m 700 /data \
 && printf '#!/bin/sh\ncd /app && exec node_modules/.bin/node --import ./src/startup/require-node.js src/admin.ts "$@"\n' > /usr/local/bin/crier-admin \
 && chmod 755 /usr/local/bin/crier-admin
WORKDIR /app
COPY . .
COPY --from=build /app/dashboard/dist dashboard/dist
COPY --from=packages /app/node_modules node_modules
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data CRIER_ADMIN=crier-admin
USER crier
VOLUME /data
EXPOSE 3000
# A process without the role api listens nowhere. It has this file while it is ready; its heartbeat is in crier_workers.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD case "${ROLES:-api}" in *api*) node_modules/.bin/node -e 'fetch("http://127.0.0.1:" + process.env.PORT + "/readyz").then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))' ;; *) test -f "$DATA_DIR/ready.json" ;; esac
# tini reaps what PostgreSQL and image processes leave behind, and passes signals on.
ENTRYPOINT ["tini", "--", "node_modules/.bin/node", "--import", "./src/startup/require-node.js"]
CMD ["src/main.ts"]
