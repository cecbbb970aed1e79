import { hostname } from 'node:os';

/** The name of this process for operators, such as `worker on host-1 (pid 17)`. */
export function processLabel(name: 'api' | 'worker'): string {
  return `${name} on ${hostname()} (pid ${process.pid})`;
}
