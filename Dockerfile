# Covenant as an image: docker build -t covenant . && docker run --rm --read-only -v reports:/work/reports --env-file .env covenant run
FROM node:22-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY schemas schemas
COPY lib lib
COPY suites suites
COPY lab lab
RUN npm run build && npm prune --omit=dev

FROM node:22-slim
ENV NODE_ENV=production
WORKDIR /covenant
COPY package.json .env.example ./
COPY ci ci
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
# A named volume takes over the owner of the folder.
RUN install --directory --owner=node --group=node /work /work/reports
USER node
WORKDIR /work
VOLUME /work/reports
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s CMD ["node", "/covenant/ci/healthcheck.mjs"]
ENTRYPOINT ["node", "/covenant/dist/lib/cli/main.js"]
CMD ["run"]
