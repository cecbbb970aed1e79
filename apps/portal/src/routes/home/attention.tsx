import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { attentionQuery, hasDomainsQuery } from '../../api/domains.js';
import type { Needing as NeedingDomains } from '../../api/shapes.js';
import { LinkButton, TextLink } from '../../parts/links.js';
import { Section } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';
import { Empty } from '../../parts/states.js';
import { StatusMark } from '../../parts/status-mark.js';
import { useView } from '../frame/view.js';
import { countText, firstOf } from './needing.js';
import { NeedingRow } from './needing-row.js';

/** What needs someone; for who has no domain yet, to begin with one. */
export function Attention() {
  const { partnerRef, may } = useView();
  const hasAny = useQuery(hasDomainsQuery(partnerRef));
  return (
    <Queried query={hasAny}>
      {(any) => (any ? <Needing partnerRef={partnerRef} /> : <First mayAdd={may('postDomains')} />)}
    </Queried>
  );
}

/** How many domains need someone for each reason, and what to do about the first ones. */
function Needing({ partnerRef }: { partnerRef: string | undefined }) {
  const query = useQuery(attentionQuery(partnerRef));
  return (
    <Section
      title="What needs you"
      actions={
        <TextLink to="/domains" search={{ show: 'attention' }} size="sm">
          Show all
        </TextLink>
      }
    >
      <Queried query={query}>
        {(needing) =>
          needing.length > 0 ? (
            <>
              <Counts needing={needing} />
              {firstOf(needing).map(({ reason, domain }) => (
                <NeedingRow key={`${reason} ${domain.id}`} reason={reason} domain={domain} />
              ))}
            </>
          ) : (
            <StatusMark mark="good">Nothing. Every domain is as it should be.</StatusMark>
          )
        }
      </Queried>
    </Section>
  );
}

/** The counts lead to the lists of the domains that were counted. */
function Counts({ needing }: { needing: NeedingDomains[] }) {
  return (
    <Group component="ul" aria-label="Domains by reason" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
      {needing.map((each) => (
        <li key={each.reason}>
          <TextLink to="/domains" search={{ show: each.reason }} size="sm">
            {countText(each)}
          </TextLink>
        </li>
      ))}
    </Group>
  );
}

function First({ mayAdd }: { mayAdd: boolean }) {
  return (
    <Empty title="Begin with a domain" action={mayAdd && <LinkButton to="/domains/add">Add a domain</LinkButton>}>
      The next page shows the DNS records to publish, and the domain turns verified by itself.
    </Empty>
  );
}
