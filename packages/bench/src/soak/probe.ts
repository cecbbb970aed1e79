import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the process holds after a garbage collection, and the longest delay of its event loop since the last look. */
export interface Look {
  heapBytes: number;
  descriptors: number;
  lagMs: number;
}

/** Loaded into a process of the soak by `--import`: answers with a look at it. */
const port = Number(process.env.MAILSTEAD_SOAK_PORT);
const NANOSECONDS_IN_MS = 1e6;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

createServer((_, response) => {
  const lagMs = delay.percentile(99) / NANOSECONDS_IN_MS;
  // The second one frees what finalizers of the first one released.
  collect();
  setImmediate(() => {
    collect();
    delay.reset();
    const look: Look = {
      heapBytes: process.memoryUsage().heapUsed,
      descriptors: readdirSync('/proc/self/fd').length,
      lagMs,
    };
    response.setHeader('Connection', 'close');
    response.end(JSON.stringify(look));
  });
})
  .listen(port, '127.0.0.1')
  .unref();
