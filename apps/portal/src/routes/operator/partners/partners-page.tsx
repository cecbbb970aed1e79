import { Table } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { partnersQuery } from '../../../api/partners.js';
import type { Partner } from '../../../api/shapes.js';
import { LinkButton, TextLink } from '../../../parts/links.js';
import { List } from '../../../parts/list.js';
import { ListSearch } from '../../../parts/list-search.js';
import { formatCount } from '../../../parts/numbers.js';
import { Page } from '../../../parts/page.js';
import { PartnerLink } from '../../../parts/partner-link.js';
import { Empty } from '../../../parts/states.js';
import { useView } from '../../frame/view.js';
import { PartnerStatus } from './partner-status.js';

const FILE_COLUMNS = [
  'partner_ref',
  'name',
  'external_ref',
  'status',
  'stage',
  'domains_used',
  'mailboxes',
  'aliases',
  'keys',
] as const;

export function PartnersPage() {
  const { may } = useView();
  const [q, setQ] = useState('');
  const list = partnersQuery(q);
  const query = useInfiniteQuery(list);
  return (
    <Page title="Partners">
      <ListSearch label="Search by the beginning of the reference" onSearch={setQ} />
      <List
        noun="partner"
        query={query}
        file={{ name: 'partners', everyPage: list.everyPage, columns: FILE_COLUMNS }}
        columns={['Partner', 'Name', 'State', 'Domains', 'Mailboxes', 'Aliases', 'Keys', 'View']}
        row={(partner) => <Row key={partner.partner_ref} partner={partner} />}
        empty={
          q === '' ? (
            <Empty
              title="No partners yet"
              action={may('postApiKeys') && <LinkButton to="/keys">Create a key</LinkButton>}
            >
              A partner exists as soon as a key or a domain names it.
            </Empty>
          ) : (
            <Empty title="No partner matches" />
          )
        }
      />
    </Page>
  );
}

function Row({ partner }: { partner: Partner }) {
  const { partner_ref: ref, name, domains_used, mailboxes, aliases, keys } = partner;
  return (
    <Table.Tr>
      <Table.Td>
        <PartnerLink partner={ref} />
      </Table.Td>
      <Table.Td>{name ?? '–'}</Table.Td>
      <Table.Td>
        <PartnerStatus partner={partner} />
      </Table.Td>
      <Table.Td>{formatCount(domains_used)}</Table.Td>
      <Table.Td>{formatCount(mailboxes)}</Table.Td>
      <Table.Td>{formatCount(aliases)}</Table.Td>
      <Table.Td>{formatCount(keys)}</Table.Td>
      <Table.Td>
        <TextLink to="/" search={{ as: ref }} aria-label={`See as they do: ${ref}`}>
          See as they do
        </TextLink>
      </Table.Td>
    </Table.Tr>
  );
}
