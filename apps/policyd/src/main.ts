import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createPostJson } from '@mailstead/client/post-json';
import { deadline, scaleDeadlines } from '@mailstead/core/deadlines';
import { reasonOf } from '@mailstead/core/errors';
import type { ListenAddress } from '@mailstead/core/settings/listen-address';
import { listening } from '@mailstead/core/settings/listening';
import { currentTraceId, newTraceId, traceparentOf } from '@mailstead/core/trace';
import { type PolicydConfig, readPolicydConfig } from './config.js';
import { CountMessages } from './count-messages.js';
import { type DeliveryMeterSettings, startDeliveryMeter } from './delivery-meter/start-delivery-meter.js';
import { FailOpen } from './fallback/fail-open.js';
import { FailClosed, type Fallback } from './fallback/fallback.js';
import { Journal } from './fallback/journal.js';
import type { PassedMessage } from './fallback/passed-messages.js';
import { Recount } from './fallback/recount.js';
import { RefusalMemory } from './fallback/refusal-memory.js';
import { UnusedCounts } from './fallback/unused-counts.js';
import { addressesByUrl, FramedSender } from './frames/framed-sender.js';
import { createLogger, type Logger } from './logger.js';
import { LoginServer } from './logins/login-server.js';
import { LoginTurns } from './logins/login-turns.js';
import { TrustedHosts } from './logins/trusted-hosts.js';
import { PolicydMetrics } from './metrics.js';
import { MilterServer } from './milter/milter-server.js';
import { OpenSessions } from './open-sessions.js';
import { OutboundApi } from './outbound-api.js';
import { HeadroomMemory } from './policy/headroom-memory.js';
import { PolicyHandler } from './policy/policy-handler.js';
import { PolicyServer } from './policy/policy-server.js';
import { RecipientMemory } from './policy/recipient-memory.js';
import { startTrailFollower } from './trail/start-trail-follower.js';

/** Runs the policy daemon. Only the API decides on verdicts. */
async function main(): Promise<void> {
  const config = readPolicydConfig();
  scaleDeadlines(config.deadlineFactor);
  const logger = createLogger(config.logLevel);
  const metrics = new PolicydMetrics(logger);
  const framed = framedSender(config, logger);
  const post = createPostJson({
    url: config.mailsteadUrl,
    token: config.policyToken,
    timeoutMs: deadline('policyRequest'),
    headers: () => ({ traceparent: traceparent() }),
    sendBy: (overHttp) => framed.over(overHttp),
  });
  const api = new OutboundApi(post, metrics.policy);
  const { fallback, journal, recount } = await openFallback(config, api, (message) =>
    logger.error('a message that passed cannot be counted', { message }),
  );
  const unused = await UnusedCounts.open(config.policydDataDir, (error) =>
    logger.warn('the counts of deferred messages are lost when the daemon ends', { error: reasonOf(error) }),
  );
  const memory = new RecipientMemory();
  const headrooms = new HeadroomMemory();
  const sessions = new OpenSessions();
  const handler = new PolicyHandler(api, fallback, unused, memory, headrooms, sessions, metrics.policy);
  const policies = config.policyListen.map(
    () =>
      new PolicyServer(
        (request) => handler.answer(request),
        (reason) => metrics.policy.cut(reason),
      ),
  );
  const milter = new MilterServer(
    new CountMessages(api, fallback, unused, memory, headrooms, config.policyMta, config.policyRelay),
    metrics.milter,
    sessions,
  );
  for (const [index, address] of config.policyListen.entries()) {
    await listening('POLICY_LISTEN', async () => policies[index]?.listen(address));
  }
  await listening('MILTER_LISTEN', () => milter.listen(config.milterListen));
  const turns = new LoginTurns();
  const logins = new LoginServer(turns, new TrustedHosts(config.loginsTrusted), (outcome) => metrics.login(outcome));
  const { loginsListen, metricsListen } = config;
  if (loginsListen !== null) await listening('LOGINS_LISTEN', () => logins.listen(loginsListen));
  const trail =
    config.trailLog === null
      ? null
      : startTrailFollower(
          {
            log: config.trailLog,
            dataDir: config.policydDataDir,
            host: config.policyMta,
            srsDomain: config.trailSrsDomain,
          },
          post,
          (error) => logger.warn('the trail of messages cannot go on', { error: String(error) }),
        );
  const server = metrics.server({
    policyConnections: () => policies.reduce((sum, { connections }) => sum + connections, 0),
    milterConnections: () => milter.connections,
    framedConnections: () => framed.connections,
    journalEntries: () => journal?.size ?? 0,
    runningLogins: () => turns.running,
    waitingLogins: () => turns.waiting,
    trailBehindSeconds: () => trail?.follower.behindSeconds ?? 0,
    trailMessages: () => trail?.follower.messages.size ?? 0,
    trailAmbiguousLines: () => trail?.follower.messages.ambiguous ?? 0,
  });
  if (metricsListen !== null) {
    await listening('METRICS_LISTEN', () => once(server.listen(metricsListen), 'listening'));
  }
  const meter =
    config.meterLog === null
      ? null
      : startDeliveryMeter(meterSettings(config, config.meterLog), post, (error) =>
          logger.warn('the delivery meter cannot go on', { error: String(error) }),
        );
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    server.close();
    server.closeAllConnections();
    logins.close();
    await Promise.all([...policies, milter].map((each) => each.close(deadline('policydStop'))));
    await meter?.stop();
    await trail?.stop();
    await recount?.stop().catch((error: unknown) => {
      logger.warn('counted messages stay in the journal', { error: reasonOf(error) });
    });
    logger.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
  logger.info('listening', {
    policy: policies.map(({ address }) => address),
    milter: milter.address,
    logins: logins.address,
    fail: config.policyFail,
  });
}

function traceparent(): string {
  return traceparentOf(currentTraceId() ?? newTraceId());
}

function framedSender({ mailsteadUrl, policyApi, policyToken: token }: PolicydConfig, logger: Logger): FramedSender {
  const onChange = (address: ListenAddress, problem: string | null): void => {
    if (problem === null) logger.info('the API takes frames again', { address });
    else logger.warn('the API does not take frames: it is asked by HTTP', { address, problem });
  };
  return new FramedSender(addressesByUrl(mailsteadUrl, policyApi), { token, traceparent, onChange });
}

function meterSettings(
  { meterState, meterDownloads, policydDataDir }: PolicydConfig,
  log: string,
): DeliveryMeterSettings {
  return { log, state: meterState ?? join(policydDataDir, 'meter'), countsDownloads: meterDownloads };
}

async function openFallback(
  { policyFail: fail, policydDataDir: dataDir }: PolicydConfig,
  api: OutboundApi,
  onUncountable: (message: PassedMessage) => void,
): Promise<{ fallback: Fallback; journal: Journal | null; recount: Recount | null }> {
  // A journal of an earlier run with POLICY_FAIL=open is counted also with POLICY_FAIL=closed.
  if (fail === 'closed' && !(await Journal.exists(dataDir))) {
    return { fallback: new FailClosed(), journal: null, recount: null };
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const journal = await Journal.open(dataDir);
  const refusals = await RefusalMemory.open(dataDir);
  const fallback = fail === 'closed' ? new FailClosed() : new FailOpen(journal, refusals);
  return { fallback, journal, recount: new Recount(journal, refusals, api, onUncountable) };
}

main().catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
});
