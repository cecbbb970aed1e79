import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestPlatform } from './platform.js';

/** A test platform that stores mail in a new Maildir folder. */
export interface MailPlatform {
  platform: TestPlatform;
  /** Returns the folder with the mail of the mailbox that has this `home`. */
  maildirOf(home: string): string;
  stop(): Promise<void>;
}

export async function startMailPlatform(settings: Record<string, string>): Promise<MailPlatform> {
  const root = await mkdtemp(join(tmpdir(), 'mailstead-mail-'));
  const platform = await TestPlatform.start({
    SANDBOX_VERIFY_AFTER: '0',
    MAIL_STORE: 'maildir',
    MAILDIR_ROOT: root,
    ...settings,
  });
  return {
    platform,
    maildirOf: (home) => join(root, home.slice(0, 2), home, 'Maildir'),
    stop: async () => {
      await platform.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
