// @ts-check
// `npm run client-types`: reads the OpenAPI document of the built service and generates the client's types from it.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.mjs';
import { main } from './main.mjs';
import { prepare } from './prepare.mjs';
import { killGroup, spawnGroup } from './processes.mjs';

await main(async () => {
  await prepare({ build: false });
  // Builds only the API, because the client may not compile before its types are generated.
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'apps/api'], { stdio: 'inherit' });
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-types-'));
  const port = await freePort();
  const api = spawnGroup(process.execPath, ['apps/api/dist/main.js'], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: String(port) },
    stdio: 'ignore',
  });
  try {
    const document = await documentOf(`http://127.0.0.1:${port}/openapi.json`);
    await writeFile('packages/client/generated/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
  } finally {
    killGroup(api, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
  await import('../tools/openapi/generate.mjs');
  return 0;
});

/** @param {string} url */
async function documentOf(url) {
  for (let attempt = 0; attempt < 1_200; attempt += 1) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return response.json();
    await delay(50);
  }
  throw new Error('The service did not answer');
}
