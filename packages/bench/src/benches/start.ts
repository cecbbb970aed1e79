import { median } from '../load.js';
import type { Report } from '../report.js';
import { type DatabaseKind, residentMb, startService } from '../service.js';

export async function start(kind: DatabaseKind, report: Report): Promise<void> {
  const times: number[] = [];
  let memory = 0;
  for (let index = 0; index < 3; index += 1) {
    const service = await startService(kind);
    times.push(service.startedInMs);
    memory = residentMb(service);
    await service.stop();
  }
  report.note(
    `start, ${kind}`,
    `${Math.round(median(times))} ms, ${Math.round(memory)} MB`,
    '≤ 1,500 ms, ≤ 150 MB',
    median(times) <= 1_500 && memory <= 150,
  );
}
