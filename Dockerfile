# One image for the API, the worker, billing and the policy daemon; docker-compose.yml says which one a container runs.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json host-zone.d.ts tsconfig.base.json tsconfig.json tsconfig.product.json ./
COPY packages ./packages
COPY apps ./apps
COPY tools ./tools
# The documents that /docs serves.
COPY docs ./docs
COPY scripts ./scripts
# The second installation has only the packages of the processes: no compiler, and nothing that is built into the page.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && node node_modules/typescript/bin/tsc -b tsconfig.product.json \
  && NODE_ENV=production node node_modules/vite/bin/vite.js build apps/portal \
  && npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
    -w apps/api -w apps/worker -w apps/policyd -w apps/billing -w packages/mail-stack

FROM node:24-bookworm-slim
ENV NODE_ENV=production TZ=UTC HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
# The client of MariaDB makes and reads backups.
RUN apt-get update && apt-get install -y --no-install-recommends mariadb-client && rm -rf /var/lib/apt/lists/*
# Named one by one, so that neither sources nor tests come along; image-contents.slow.test.ts starts the processes from these.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/tools/no-phone-numbers ./tools/no-phone-numbers
COPY --from=build /app/packages/core/package.json ./packages/core/
COPY --from=build /app/packages/core/dist ./packages/core/dist
COPY --from=build /app/packages/adapters/package.json ./packages/adapters/
COPY --from=build /app/packages/adapters/dist ./packages/adapters/dist
COPY --from=build /app/packages/adapters/schema ./packages/adapters/schema
COPY --from=build /app/packages/client/package.json ./packages/client/
COPY --from=build /app/packages/client/dist ./packages/client/dist
COPY --from=build /app/packages/mail-stack/package.json ./packages/mail-stack/
COPY --from=build /app/packages/mail-stack/dist ./packages/mail-stack/dist
COPY --from=build /app/packages/mail-stack/templates ./packages/mail-stack/templates
COPY --from=build /app/packages/mail-stack/settings.example.json ./packages/mail-stack/
COPY --from=build /app/apps/api/package.json ./apps/api/
COPY --from=build /app/apps/api/dist ./apps/api/dist
COPY --from=build /app/apps/worker/package.json ./apps/worker/
COPY --from=build /app/apps/worker/dist ./apps/worker/dist
COPY --from=build /app/apps/policyd/package.json ./apps/policyd/
COPY --from=build /app/apps/policyd/dist ./apps/policyd/dist
COPY --from=build /app/apps/billing/package.json ./apps/billing/
COPY --from=build /app/apps/billing/dist ./apps/billing/dist
COPY --from=build /app/apps/portal/dist/page ./apps/portal/dist/page
COPY --from=build /app/docs ./docs
# For `npm run backup` and `npm run restore`.
COPY --from=build /app/scripts/run.cjs ./scripts/
COPY --from=build /app/scripts/run-module.cjs ./scripts/
COPY --from=build /app/scripts/backup.mjs ./scripts/
COPY --from=build /app/scripts/restore.mjs ./scripts/
COPY --from=build /app/scripts/built-command.mjs ./scripts/
COPY --from=build /app/scripts/foreground.mjs ./scripts/
COPY --from=build /app/scripts/main.mjs ./scripts/
COPY --from=build /app/scripts/processes.mjs ./scripts/
COPY --from=build /app/scripts/guard.mjs ./scripts/
# The only folder that is written: the embedded database and generated secrets, when no DATABASE_URL is given.
RUN install -d -o node -g node -m 0700 /data
VOLUME /data
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health', { signal: AbortSignal.timeout(4000) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/api/dist/main.js"]
