import { Checkbox } from '@mantine/core';
import type { Domain } from '../../api/shapes.js';
import { ReceivingPill, SendingPill } from '../../parts/domain-status.js';
import { TextLink } from '../../parts/links.js';
import { NameAsRead } from '../../parts/name-as-read.js';
import { formatCount } from '../../parts/numbers.js';
import { type Column, when } from '../../parts/table/column.js';
import { Second } from '../../parts/table/second.js';
import { Time } from '../../parts/time.js';
import { t } from '../../texts/texts.js';
import type { Chosen } from './chosen/use-chosen.js';

interface Reader {
  seesPartners: boolean;
  /** Null when nothing can be done with chosen domains. */
  chosen: Chosen | null;
}

/** The list of domains. On a phone it leaves out what the first screen of a domain shows. */
export function domainColumns({ seesPartners, chosen }: Reader): Column<Domain>[] {
  return [
    ...when<Domain>(chosen !== null, {
      head: 'Selected',
      phone: 'start',
      cell: (domain) => chosen !== null && <Choose domain={domain} chosen={chosen} />,
    }),
    {
      head: 'Domain',
      cell: ({ name, partner_ref }) => (
        <>
          <TextLink to="/domains/$domain" params={{ domain: name }} title={name}>
            <NameAsRead name={name} />
          </TextLink>
          {seesPartners && partner_ref !== null && <Second>{partner_ref}</Second>}
        </>
      ),
      by: ({ name }) => name,
    },
    { head: t('status.sending'), phone: 'bare', cell: (domain) => <SendingPill domain={domain} /> },
    { head: t('status.receiving'), phone: 'bare', cell: (domain) => <ReceivingPill domain={domain} /> },
    {
      head: 'Mailboxes',
      align: 'end',
      phone: 'hidden',
      cell: ({ mailboxes }) => formatCount(mailboxes),
      by: ({ mailboxes }) => mailboxes,
    },
    {
      head: 'Aliases',
      align: 'end',
      phone: 'hidden',
      cell: ({ aliases }) => formatCount(aliases),
      by: ({ aliases }) => aliases,
    },
    {
      head: 'Added',
      phone: 'hidden',
      cell: ({ created_at }) => <Time at={created_at} relative="day" />,
      by: ({ created_at }) => created_at,
    },
  ];
}

function Choose({ domain, chosen }: { domain: Domain; chosen: Chosen }) {
  return (
    <Checkbox
      aria-label={`Select ${domain.name}`}
      checked={chosen.domains.has(domain.name)}
      onChange={({ currentTarget }) => (currentTarget.checked ? chosen.add([domain]) : chosen.remove([domain]))}
    />
  );
}
