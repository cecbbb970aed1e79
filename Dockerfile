# One image for the API, the worker, billing and the policy daemon; docker-compose.yml says which one a container runs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.base.json tsconfig.json tsconfig.product.json ./
COPY packages ./packages
COPY apps ./apps
COPY tools ./tools
# The documents that /docs serves.
COPY docs ./docs
# The second installation has only the packages of the processes: no compiler, and nothing that is built into the page.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && node node_modules/typescript/bin/tsc -b tsconfig.product.json \
  && NODE_ENV=production node node_modules/vite/bin/vite.js build apps/portal \
  && npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
    -w apps/api -w apps/worker -w apps/policyd -w apps/billing -w packages/mail-stack

FROM node:24-bookworm-slim
ENV NODE_ENV=production TZ=UTC HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app ./
# The only folder that is written: the embedded database and generated secrets, when no DATABASE_URL is given.
RUN install -d -o node -g node -m 0700 /data
VOLUME /data
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health', { signal: AbortSignal.timeout(4000) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/api/dist/main.js"]
