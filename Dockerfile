# One image for every role: the command says whether it is a coordinator, a data node or an agent.
ARG BASE=node:20-bookworm-slim

FROM ${BASE} AS build
WORKDIR /shoal
COPY package.json package-lock.json .npmrc tsconfig.json tsconfig.base.json ./
COPY scripts scripts
COPY packages packages
RUN npm ci && npm run build && npm prune --omit=dev
# What runs stays: no sources, tests, types, or packages that only tests use.
RUN rm -rf packages/*/src packages/*/tsconfig*.json packages/simulation node_modules/@shoal/simulation \
  && find packages -type f '(' -name '*.test*' -o -name '*.d.ts' -o -name '*.map' -o -name '.tsbuildinfo' ')' -delete \
  && find node_modules -type d -empty -delete

FROM ${BASE}
WORKDIR /shoal
COPY --from=build /shoal/package.json ./
COPY --from=build /shoal/node_modules node_modules
COPY --from=build /shoal/packages packages
COPY scripts/container/health.mjs ./
# A named volume takes over the owner of the folder it covers; access logs may be one of their own.
RUN mkdir -p /data/logs && chown -R 10001:10001 /data
USER 10001:10001
ENV NODE_ENV=production SHOAL_PATH_DATA=/data
# A node takes the variables that Elasticsearch's image takes: discovery.type=single-node, ELASTIC_PASSWORD.
ENV SHOAL_ELASTICSEARCH_ENVIRONMENT=true
# The C library gives large pieces back as soon as they are freed.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=262144
EXPOSE 9200 9300 9600
VOLUME /data
ENTRYPOINT ["node", "packages/cli/bin/shoal.js"]
CMD ["data-node"]
# Without ?local: a node that is cut off from its cluster manager answers 503, and is not healthy.
HEALTHCHECK --interval=5s --timeout=5s --start-period=20s --retries=12 CMD ["node", "health.mjs"]
