import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { OpenGate } from '@mailstead/core/testing/open-gate';
import { DerivedCheck } from '../database/health/derived-check.js';
import { ServiceGate } from './service-gate.js';

describe('jobs and schedules', () => {
  const clock = new FixedClock();

  it('wait while derived rows are compared after a changed schema, and go on afterwards', async () => {
    const check = new DerivedCheck();
    const gate = new ServiceGate(new RestoreGate(), check, new OpenGate(clock));
    expect(await gate.enter()).toEqual(clock.now());
    check.begin();
    expect(await gate.enter()).toBeNull();
    check.end();
    expect(await gate.enter()).toEqual(clock.now());
  });

  it('wait while a restored database is not accepted', async () => {
    const restore = new RestoreGate();
    const gate = new ServiceGate(restore, new DerivedCheck(), new OpenGate(clock));
    restore.set(true);
    expect(await gate.enter()).toBeNull();
    restore.set(false);
    expect(await gate.enter()).toEqual(clock.now());
  });
});
