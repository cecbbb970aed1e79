import { may } from '../../api/caller.js';
import { LatestEvents } from '../../parts/latest-events.js';
import { TextLink } from '../../parts/links.js';
import { Columns, Page } from '../../parts/page.js';
import { SetUpMailServers } from '../../parts/set-up-mail-servers.js';
import { useView } from '../frame/view.js';
import { Attention } from './attention.js';
import { FirstSteps } from './first-steps/first-steps.js';
import { HomeHeadroom } from './home-headroom.js';
import { HomeMessages } from './home-messages.js';
import { HomeNumbers } from './home-numbers.js';
import { HomeSearch } from './home-search.js';
import { SendingDays } from './sending-days.js';
import { ServiceFine, ServiceHealth } from './service-health.js';

/** First what needs someone, then search, then how things stand. */
export function HomePage() {
  const { caller, partnerRef } = useView();
  const isOperator = caller.kind !== 'client' && partnerRef === undefined;
  return (
    <Page title="Home" actions={isOperator && <ServiceFine />}>
      {isOperator && <ServiceHealth />}
      <FirstSteps />
      <Attention />
      <Columns>
        <HomeSearch />
        {may(caller, 'getMessages') && partnerRef === undefined && <HomeMessages />}
      </Columns>
      {caller.kind === 'client' && <HomeHeadroom />}
      {isOperator && caller.partners !== null && <HomeNumbers />}
      <SetUpMailServers />
      <Columns>
        {may(caller, 'getOutboundDays') && <SendingDays partnerRef={partnerRef} />}
        {may(caller, 'getEvents') && (
          <LatestEvents
            filters={partnerRef === undefined ? {} : { partner_ref: partnerRef }}
            limit={8}
            actions={
              <TextLink to="/events" size="sm">
                Show all
              </TextLink>
            }
          />
        )}
      </Columns>
    </Page>
  );
}
