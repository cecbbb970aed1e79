import type { JobHandlers } from '@mailstead/core/jobs/jobs';
import { RunRequested } from '@mailstead/core/jobs/run-requested';
import { needs } from '@mailstead/core/needs';
import { DeliverNotifications } from '@mailstead/core/notifications/deliver-notifications';
import { AlignIdentities } from '@mailstead/core/relay/align-identities';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { DeleteIdentity } from '@mailstead/core/relay/delete-identity';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';

/** The handlers of all jobs. A job without a handler does not compile. */
@needs(CheckVerification, DeleteIdentity, AlignIdentities, ProcessRelayEvents, DeliverNotifications, RunRequested)
export class JobTable implements JobHandlers {
  constructor(
    private readonly checkVerification: CheckVerification,
    private readonly deleteIdentity: DeleteIdentity,
    private readonly alignIdentities: AlignIdentities,
    private readonly processRelayEvents: ProcessRelayEvents,
    private readonly deliverNotifications: DeliverNotifications,
    private readonly runRequested: RunRequested,
  ) {}

  readonly 'domain.verify': JobHandlers['domain.verify'] = async ({ domainId }, { requestId }) => {
    const transition = await this.checkVerification.execute(domainId, requestId);
    return transition === null ? undefined : { [transition]: 1 };
  };

  readonly 'identity.delete': JobHandlers['identity.delete'] = async (payload) => {
    await this.deleteIdentity.execute(payload);
    return undefined;
  };

  readonly 'identities.align': JobHandlers['identities.align'] = ({ afterPartnerId }) =>
    this.alignIdentities.execute(afterPartnerId);

  readonly 'relay-events.process': JobHandlers['relay-events.process'] = () => this.processRelayEvents.execute();

  readonly 'notifications.deliver': JobHandlers['notifications.deliver'] = () => this.deliverNotifications.execute();

  readonly 'schedule.run': JobHandlers['schedule.run'] = ({ name }, context) =>
    this.runRequested.execute(name, context);
}
