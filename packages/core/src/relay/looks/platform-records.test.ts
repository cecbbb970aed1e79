import { ScriptedDns } from '../../testing/scripted-dns.js';
import { platformProblem } from './platform-records.js';

const OURS = 'spf.platform.example';

describe('the records of the platform', () => {
  let dns: ScriptedDns;

  beforeEach(() => {
    dns = new ScriptedDns();
    dns.set('A', 'mx1.platform.example', '192.0.2.25');
    dns.set('TXT', 'relay.example', 'v=spf1 ip4:192.0.2.0/24 -all');
  });

  const problem = (...records: string[]) => {
    if (records.length > 0) dns.set('TXT', OURS, ...records);
    return platformProblem(dns, { mxHosts: ['mx1.platform.example'], spfInclude: OURS });
  };

  test('are all well with an address of each host and an SPF record without an error', async () => {
    expect(await problem('v=spf1 include:relay.example -all')).toBeNull();
    expect(await problem('v=spf1 exists:%{i}.relay.example -all', 'another text')).toBeNull();
  });

  test('let no domain be judged without an SPF record, or with one that is an error for every receiver', async () => {
    expect(await problem()).toBe(`${OURS} of SPF_INCLUDE has no SPF record`);
    expect(await problem('v=spf1 ip4:192.0.2.300 -all')).toBe(
      `${OURS} of SPF_INCLUDE has an SPF record with an error: The SPF record of ${OURS} has "ip4:192.0.2.300", which has no valid IP address, so receivers stop with an error.`,
    );
    expect(await problem('v=spf1 include:gone.example -all')).toContain('gone.example');
    expect(await problem('v=spf1 -all', 'v=spf1 +all')).toContain('has several SPF records');
  });

  test('let no domain be judged without an answer', async () => {
    dns.broken.add('TXT slow.example');
    expect(await problem('v=spf1 include:slow.example -all')).toBe(
      `${OURS} of SPF_INCLUDE could not be read completely: The name server did not answer in time`,
    );
    dns.broken.add(`TXT ${OURS}`);
    expect(await problem()).toBe(`${OURS} of SPF_INCLUDE has no SPF record: The name server did not answer in time`);
  });
});
