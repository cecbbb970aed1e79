import { jest } from '@jest/globals';
import type { DomainName } from '../domains/domain-name.js';
import { AppError } from '../errors.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import { FixedClock } from '../testing/fixed-clock.js';
import { ScriptedRelayProvider } from '../testing/scripted-relay-provider.js';
import { ObservedRelayProvider } from './observed-relay-provider.js';
import { type FailedRelayCall, type LastRelayCalls, type RelayCall, RelayCalls } from './relay-calls.js';

/** Counts how often a call is stored. */
class CountedRelayCalls extends RelayCalls {
  stored = 0;
  down = false;
  private readonly calls: LastRelayCalls = { success: null, failure: null };

  override async noteSuccess(call: RelayCall): Promise<void> {
    this.write();
    this.calls.success = call;
  }

  override async noteFailure(call: FailedRelayCall): Promise<void> {
    this.write();
    this.calls.failure = call;
  }

  override async last(): Promise<LastRelayCalls> {
    return this.calls;
  }

  private write(): void {
    if (this.down) throw new AppError('database_unavailable');
    this.stored += 1;
  }
}

const DOMAIN = { id: 1, name: 'example.com' as DomainName, startedAt: null };

describe('an observed relay provider', () => {
  const clock = new FixedClock();
  let gate: RestoreGate;
  let relay: ScriptedRelayProvider;
  let calls: CountedRelayCalls;
  let observed: ObservedRelayProvider;
  beforeEach(() => {
    gate = new RestoreGate();
    relay = new ScriptedRelayProvider();
    calls = new CountedRelayCalls();
    observed = new ObservedRelayProvider(relay, calls, clock, gate);
  });

  it('calls nothing while a restored database is not accepted, and stores no failure', async () => {
    gate.set(true);
    const asked = jest.spyOn(relay, 'readIdentity');
    await expect(async () => observed.readIdentity(DOMAIN)).rejects.toMatchObject({ code: 'restore_not_accepted' });
    expect(asked).not.toHaveBeenCalled();
    expect(calls.stored).toBe(0);
    gate.set(false);
    await observed.readIdentity(DOMAIN);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('stores the first failure after successes at once, and the first success after failures', async () => {
    await observed.readIdentity(DOMAIN);
    relay.down = true;
    const failedAt = clock.now();
    await expect(observed.listIdentities(null)).rejects.toMatchObject({ code: 'relay_unavailable' });
    clock.advance(1);
    relay.down = false;
    await observed.ensureIdentity(DOMAIN, false);
    expect(await calls.last()).toMatchObject({
      success: { at: clock.now(), operation: 'ensure_identity' },
      failure: { at: failedAt, operation: 'list_identities', reason: expect.stringContaining('relay provider') },
    });
  });

  it('stores the same outcome again after a minute, and a failure after ten seconds', async () => {
    for (let call = 0; call < 5; call += 1) await observed.deleteIdentity(DOMAIN);
    expect(calls.stored).toBe(1);
    clock.advance(60_000);
    await observed.deleteIdentity(DOMAIN);
    expect(calls.stored).toBe(2);
    relay.down = true;
    for (const wait of [0, 9_999, 1]) {
      clock.advance(wait);
      await observed.readIdentity(DOMAIN).catch(() => undefined);
    }
    expect(calls.stored).toBe(4);
  });

  it('passes on what the provider answers, also when the call cannot be stored, and stores a later one', async () => {
    calls.down = true;
    relay.says('example.com', 'verified');
    await expect(observed.readIdentity(DOMAIN)).resolves.toMatchObject({ status: 'verified' });
    calls.down = false;
    await observed.readIdentity(DOMAIN);
    expect(calls.stored).toBe(1);
  });

  it('passes on the properties of the provider', () => {
    expect([observed.lists, observed.minCheckIntervalMs]).toEqual([relay.lists, relay.minCheckIntervalMs]);
  });
});
