import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readConfig } from './config.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const STOP_SECONDS = 8;

/** The highest value that the settings accept. */
function mostDrainSeconds(): number {
  let most = 0;
  for (let seconds = 0; seconds <= 600; seconds += 1) {
    try {
      most = readConfig({ DRAIN_SECONDS: String(seconds) }).drainSeconds;
    } catch {
      return most;
    }
  }
  throw new Error('DRAIN_SECONDS has no bound');
}

describe('the time that a supervisor gives a process to stop', () => {
  const secondsIn = (file: string, pattern: RegExp) => Number(pattern.exec(readFileSync(ROOT + file, 'utf8'))?.[1]);

  it('is longer than the process may take, for the highest DRAIN_SECONDS', () => {
    const longest = mostDrainSeconds() + STOP_SECONDS;
    expect(secondsIn('systemd/mailstead-api.service', /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(longest);
    expect(secondsIn('docker-compose.yml', /stop_grace_period: (\d+)s/)).toBeGreaterThan(longest);
  });

  it('is longer than eight seconds for the worker, which does not use DRAIN_SECONDS', () => {
    const given = secondsIn('systemd/mailstead-worker.service', /^TimeoutStopSec=(\d+)$/m);
    expect(given).toBeGreaterThan(STOP_SECONDS);
  });
});
