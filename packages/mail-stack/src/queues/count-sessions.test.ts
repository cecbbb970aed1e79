import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countSessions } from './count-sessions.js';

describe('the number of sessions', () => {
  it('is that of the processes of one Dovecot, whatever other programs are called', async () => {
    const proc = await mkdtemp(join(tmpdir(), 'proc-'));
    const processes = {
      1: '/sbin/init\0',
      20: '/usr/sbin/dovecot\0-F\0',
      21: 'dovecot-mailstead/imap\0',
      22: 'dovecot-mailstead/imap [alice@acme.test 192.0.2.1 IDLE]\0',
      23: 'dovecot-mailstead/pop3\0',
      24: 'dovecot-mailstead/imap-login\0',
      25: 'dovecot-other/imap\0',
      26: 'dovecot/imap\0',
      27: 'tail\0dovecot-mailstead/imap\0',
      28: '',
    };
    try {
      for (const [pid, text] of Object.entries(processes)) {
        await mkdir(join(proc, pid));
        await writeFile(join(proc, pid, 'cmdline'), text);
      }
      // One that ends between the list and the read.
      await mkdir(join(proc, '31'));
      await mkdir(join(proc, 'sys'));
      expect(await countSessions('mailstead', proc)).toEqual({ imap: 2, pop3: 1 });
      expect(await countSessions('dovecot', proc)).toEqual({ imap: 1, pop3: 0 });
    } finally {
      await rm(proc, { recursive: true });
    }
  });
});
