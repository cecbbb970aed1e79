import { Code } from '@mantine/core';
import type { ApiKey } from '../../api/shapes.js';
import { countOf, formatLimit } from '../../parts/numbers.js';
import { PartnerLink } from '../../parts/partner-link.js';
import { StatusMark } from '../../parts/status-mark.js';
import { type Column, when } from '../../parts/table/column.js';
import { Second } from '../../parts/table/second.js';
import { hasPassed, Time } from '../../parts/time.js';
import { keyName } from './key-name.js';

const SHOWN_DOMAINS = 2;

interface Reader {
  isOperator: boolean;
  showsPartner: boolean;
}

export function keyColumns({ isOperator, showsPartner }: Reader): Column<ApiKey>[] {
  return [
    { head: 'Key', cell: (key) => <Name apiKey={key} />, by: keyName },
    ...when<ApiKey>(showsPartner, {
      head: 'Partner',
      phone: 'bare',
      cell: ({ partner_ref }) => <PartnerLink partner={partner_ref} />,
      by: ({ partner_ref }) => partner_ref,
    }),
    { head: 'May', phone: 'bare', cell: mayText },
    ...when<ApiKey>(isOperator, {
      head: 'Limits',
      phone: 'bare',
      cell: (key) => <Limits apiKey={key} isWhole={!showsPartner} />,
    }),
    { head: 'State', phone: 'bare', cell: (key) => <KeyState apiKey={key} /> },
    {
      head: 'Last used',
      cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <Time at={last_used_at} relative />),
      by: ({ last_used_at }) => last_used_at,
    },
  ];
}

function Name({ apiKey }: { apiKey: ApiKey }) {
  const { id, token, made_by } = apiKey;
  return (
    <>
      {keyName(apiKey)}
      <Second>
        <Code>{token}</Code> {made_by === null ? `no. ${id}` : `no. ${id}, by no. ${made_by}`}
      </Second>
    </>
  );
}

function mayText({ scope, domains }: ApiKey): string {
  const verb = scope === 'read' ? 'Read' : 'Manage';
  if (domains === null) return `${verb} everything`;
  if (domains.length === 0) return 'Nothing: its domains are gone';
  const more = domains.length - SHOWN_DOMAINS;
  const shown = domains.slice(0, SHOWN_DOMAINS).join(', ');
  return `${verb} ${more > 0 ? `${shown} and ${countOf(more, 'other')}` : shown}`;
}

/** @param isWhole also those of each domain; the list of all partners has no room for them */
function Limits({ apiKey, isWhole }: { apiKey: ApiKey; isWhole: boolean }) {
  const { domains_allowed, domains_used, mailboxes_per_domain, aliases_per_mailbox } = apiKey;
  return (
    <>
      {domains_used} of {formatLimit(domains_allowed)} domains
      {isWhole && (
        <Second>
          {formatLimit(mailboxes_per_domain)} mailboxes, {formatLimit(aliases_per_mailbox)} aliases each
        </Second>
      )}
    </>
  );
}

function KeyState({ apiKey: { active, expires_at } }: { apiKey: ApiKey }) {
  if (!active) return <StatusMark mark="bad">Inactive</StatusMark>;
  if (expires_at === null) return <StatusMark mark="good">Active</StatusMark>;
  if (hasPassed(expires_at)) return <StatusMark mark="none">Expired</StatusMark>;
  return (
    <>
      <StatusMark mark="wait">Ends</StatusMark> <Time at={expires_at} relative />
    </>
  );
}
