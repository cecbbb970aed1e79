import { FinishDeletion } from '@mailstead/core/domains/finish-deletion';
import type { JobHandlers } from '@mailstead/core/jobs/jobs';
import { RunRequested } from '@mailstead/core/jobs/run-requested';
import { EndSessions } from '@mailstead/core/mail-sessions/end-sessions';
import { needs } from '@mailstead/core/needs';
import { DeliverNotifications } from '@mailstead/core/notifications/deliver-notifications';
import { MarkLimits } from '@mailstead/core/outbound/mark-limits';
import { AlignIdentities } from '@mailstead/core/relay/align-identities';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { DeleteIdentity } from '@mailstead/core/relay/delete-identity';
import { LookAtDomains } from '@mailstead/core/relay/looks/look-at-domains';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { CheckTenant } from '@mailstead/core/relay/tenants/check-tenant';
import { JoinLater } from '@mailstead/core/relay-events/join-later';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { LiftAtProvider } from '@mailstead/core/suppressions/lift-at-provider';

/** The handlers of all jobs. A job without a handler does not compile. */
@needs(
  CheckVerification,
  FinishDeletion,
  DeleteIdentity,
  AlignIdentities,
  CheckTenant,
  LiftAtProvider,
  RelayProvider,
  ProcessRelayEvents,
  JoinLater,
  DeliverNotifications,
  EndSessions,
  MarkLimits,
  LookAtDomains,
  RunRequested,
)
export class JobTable implements JobHandlers {
  constructor(
    private readonly checkVerification: CheckVerification,
    private readonly finishDeletion: FinishDeletion,
    private readonly deleteIdentity: DeleteIdentity,
    private readonly alignIdentities: AlignIdentities,
    private readonly checkTenant: CheckTenant,
    private readonly liftAtProvider: LiftAtProvider,
    private readonly relayProvider: RelayProvider,
    private readonly processRelayEvents: ProcessRelayEvents,
    private readonly joinLater: JoinLater,
    private readonly deliverNotifications: DeliverNotifications,
    private readonly endSessions: EndSessions,
    private readonly markLimits: MarkLimits,
    private readonly lookAtDomains: LookAtDomains,
    private readonly runRequested: RunRequested,
  ) {}

  readonly 'domain.verify': JobHandlers['domain.verify'] = async ({ domainId }, { requestId }) => {
    const transition = await this.checkVerification.execute(domainId, requestId);
    return transition === null ? undefined : { [transition]: 1 };
  };

  readonly 'domain.delete': JobHandlers['domain.delete'] = async ({ domainId }) => ({
    pieces: await this.finishDeletion.execute(domainId),
  });

  readonly 'identity.delete': JobHandlers['identity.delete'] = async (payload) => {
    await this.deleteIdentity.execute(payload);
    return undefined;
  };

  readonly 'identities.align': JobHandlers['identities.align'] = ({ afterPartnerId }) =>
    this.alignIdentities.execute(afterPartnerId);

  readonly 'tenant.check': JobHandlers['tenant.check'] = async ({ partnerId }, { requestId }) => {
    const change = await this.checkTenant.execute(partnerId, requestId);
    return change === null ? undefined : { [change]: 1 };
  };

  readonly 'suppression.lift': JobHandlers['suppression.lift'] = async ({ address }) => {
    await this.relayProvider.liftSuppression(address);
    return undefined;
  };

  readonly 'suppression.lift-tenant': JobHandlers['suppression.lift-tenant'] = async (
    { suppressionId },
    { attempt },
  ) => {
    await this.liftAtProvider.execute(suppressionId, attempt);
    return undefined;
  };

  readonly 'relay-events.process': JobHandlers['relay-events.process'] = () => this.processRelayEvents.execute();

  readonly 'trail.join': JobHandlers['trail.join'] = (payload) => this.joinLater.execute(payload);

  readonly 'notifications.deliver': JobHandlers['notifications.deliver'] = () => this.deliverNotifications.execute();

  readonly 'mail-sessions.end': JobHandlers['mail-sessions.end'] = (payload) => this.endSessions.execute(payload);

  readonly 'limits.mark': JobHandlers['limits.mark'] = ({ domainId }) => this.markLimits.ofLinked(domainId);

  readonly 'dns.look': JobHandlers['dns.look'] = () => this.lookAtDomains.execute();

  readonly 'schedule.run': JobHandlers['schedule.run'] = ({ name }, context) =>
    this.runRequested.execute(name, context);
}
