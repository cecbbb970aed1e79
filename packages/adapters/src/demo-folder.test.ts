import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from './config.js';
import { claimDemoFolder, refuseDemoFolder } from './demo-folder.js';

const SECRET = 'whsec_5GkkGdgbQxdKcvOTZSz6t/Mmol4lYmEXGw4gSa8O8Jk=';
const MAIL = {
  NOTIFY_SMTP_URL: 'smtp://mail.host.example:587',
  NOTIFY_EMAIL_FROM: 'from@host.example',
  NOTIFY_EMAIL_TO: 'to@host.example',
};
const DATABASE = {
  DATABASE_URL: 'mysql://mailstead:pw@127.0.0.1:3306/mailstead',
  MASTER_TOKEN: 'a-master-token-of-the-tests-0123456789',
  SECRET_KEY: 'a-secret-key-of-the-tests-0123456789',
};

describe('the folder of a demo', () => {
  let parent: string;
  let folder: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'mailstead-demo-'));
    folder = join(parent, 'demo-data');
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  const configWith = (environment: Record<string, string> = {}) => readConfig({ DATA_DIR: folder, ...environment });

  test('is a new or an empty one, and can be used again', async () => {
    claimDemoFolder(configWith());
    expect(await readdir(folder)).toEqual(['this-is-a-demo']);
    await writeFile(join(folder, 'mailstead.sqlite'), '');
    claimDemoFolder(configWith());
    await rm(folder, { recursive: true });
    await mkdir(folder);
    claimDemoFolder(configWith());
    expect(await readdir(folder)).toEqual(['this-is-a-demo']);
  });

  test('is not one with other files, which stays as it was', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'mailstead.sqlite'), '');
    expect(() => claimDemoFolder(configWith())).toThrow(`DATA_DIR: ${folder} is not the folder of a demo`);
    expect(await readdir(folder)).toEqual(['mailstead.sqlite']);
  });

  test('is refused by a normal start, which takes every other folder', () => {
    refuseDemoFolder(configWith());
    claimDemoFolder(configWith());
    expect(() => refuseDemoFolder(configWith())).toThrow(`DATA_DIR: ${folder} is the folder of a demo, and only`);
    refuseDemoFolder(configWith(DATABASE));
  });

  test.each([
    ['DATABASE_URL', DATABASE],
    ['REDIS_URL', { ...DATABASE, REDIS_URL: 'redis://127.0.0.1:6379' }],
    [
      'RELAY_PROVIDER',
      {
        RELAY_PROVIDER: 'ses',
        AWS_REGION: 'eu-west-1',
        SNS_TOPIC_ARNS: 'arn:aws:sns:eu-west-1:123456789012:events',
        SES_CONFIGURATION_SET: 'mailstead',
      },
    ],
    ['NOTIFY_WEBHOOK_URL', { NOTIFY_WEBHOOK_URL: 'https://host.example/', NOTIFY_WEBHOOK_SECRET: SECRET }],
    ['NOTIFY_WEBHOOK_SECRET', { NOTIFY_WEBHOOK_SECRET: SECRET }],
    ['NOTIFY_ALLOW_PRIVATE', { NOTIFY_ALLOW_PRIVATE: 'true' }],
    ['NOTIFY_SMTP_URL', MAIL],
    ['NOTIFY_EMAIL_FROM', MAIL],
    ['NOTIFY_EMAIL_TO', MAIL],
  ])('is not made with %s', async (name, environment: Record<string, string>) => {
    expect(() => claimDemoFolder(configWith(environment))).toThrow(new RegExp(`^ *- ${name}: a demo `, 'm'));
    expect(await readdir(parent)).toEqual([]);
  });
});
