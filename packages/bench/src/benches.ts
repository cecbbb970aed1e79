import { bulk } from './benches/bulk.js';
import { creates } from './benches/creates.js';
import { demo } from './benches/demo.js';
import { events } from './benches/events.js';
import { finding } from './benches/finding.js';
import { frames } from './benches/frames.js';
import { growth } from './benches/growth.js';
import { increments } from './benches/increments.js';
import { list } from './benches/list.js';
import { looks } from './benches/looks.js';
import { mail } from './benches/mail.js';
import { manyTrails } from './benches/many-trails.js';
import { policy } from './benches/policy.js';
import { positions } from './benches/positions.js';
import { purge } from './benches/purge.js';
import { readers } from './benches/readers.js';
import { reads } from './benches/reads.js';
import { reset } from './benches/reset.js';
import { restore } from './benches/restore.js';
import { screens } from './benches/screens.js';
import { sessions } from './benches/sessions.js';
import { start } from './benches/start.js';
import { suppressed } from './benches/suppressed.js';
import { trail } from './benches/trail.js';
import { usage } from './benches/usage.js';
import { webhook } from './benches/webhook.js';
import { webhooks } from './benches/webhooks.js';
import { MAIL_LOADS } from './mail/mail-loads.js';
import type { Report } from './report.js';
import type { Bench } from './run/steps.js';
import type { DatabaseKind } from './service.js';

type OnDatabase = (kind: DatabaseKind, report: Report) => Promise<void>;

/** All benchmarks, by their names for `npm run bench -- <name>…`. */
export const BENCHES: Readonly<Record<string, Bench>> = {
  mail: {
    parts: Object.fromEntries(
      Object.entries(MAIL_LOADS).map(([name, load]) => [name, (report: Report) => mail(load, report)]),
    ),
  },
  start: onBoth(start),
  demo: onBoth(demo),
  reads: http(onBoth(reads)),
  positions: http(onBoth(positions)),
  sessions: http(onBoth(sessions)),
  creates: http(onBoth(creates)),
  bulk: http(onBoth(bulk)),
  increments: http(onBoth(increments)),
  looks: http(onBoth(looks)),
  policy: on('mariadb', policy),
  frames: on('mariadb', frames),
  webhook: http(onBoth(webhook)),
  webhooks: onBoth(webhooks),
  events: on('mariadb', events),
  reset: on('mariadb', reset),
  purge: { parts: { files: purge } },
  restore: onBoth(restore),
  list: http(on('mariadb', list)),
  readers: on('sqlite', readers),
  growth: on('mariadb', growth),
  finding: onBoth(finding),
  screens: onBoth(screens),
  usage: onBoth(usage),
  trail: onBoth(trail),
  'many-trails': on('mariadb', manyTrails),
  suppressed: on('mariadb', suppressed),
};

function on(kind: DatabaseKind, measure: OnDatabase): Bench {
  return { parts: { [kind]: (report) => measure(kind, report) } };
}

function onBoth(measure: OnDatabase): Bench {
  return { parts: { ...on('mariadb', measure).parts, ...on('sqlite', measure).parts } };
}

function http(bench: Bench): Bench {
  return { ...bench, isHttp: true };
}
