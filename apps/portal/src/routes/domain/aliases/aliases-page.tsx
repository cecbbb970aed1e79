import { Group, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { aliasesQuery } from '../../../api/aliases.js';
import type { Alias } from '../../../api/shapes.js';
import { BeginButton, useDialog } from '../../../parts/dialog-button.js';
import { List } from '../../../parts/list.js';
import { ListSearch } from '../../../parts/list-search.js';
import { NameAsRead } from '../../../parts/name-as-read.js';
import { Empty } from '../../../parts/states.js';
import { Time } from '../../../parts/time.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';
import { useDomainName } from '../domain-name.js';
import { AddAlias } from './add-alias.js';
import { ChangeAlias } from './change-alias.js';
import { DeleteAlias } from './delete-alias.js';

const FILE_COLUMNS = ['address', 'destination', 'catch_all', 'created_at'] as const;

/** What can be done with one. */
const TASKS = ['putAliasesAlias', 'deleteAliasesAlias'] as const;

/** The aliases of a domain, its catch-all among them. */
export function AliasesPage() {
  const domain = useDomainName();
  const { may } = useView();
  const hasTasks = TASKS.some(may);
  const [q, setQ] = useState('');
  const adding = useDialog();
  const list = aliasesQuery(domain, q);
  const query = useInfiniteQuery(list);
  return (
    <Stack>
      <Group gap="xs">
        <ListSearch label={t('alias.search')} onSearch={setQ} />
        {may('postAliases') && <AddAlias domain={domain} dialog={adding} />}
      </Group>
      <List
        noun={t('alias.one')}
        nouns={t('alias.many')}
        query={query}
        file={{ name: `aliases-${domain}`, everyPage: list.everyPage, columns: FILE_COLUMNS }}
        columns={[
          t('alias.address'),
          t('alias.deliversTo'),
          t('alias.added'),
          ...(hasTasks ? [t('alias.change')] : []),
        ]}
        row={(alias) => <Row key={alias.id} domain={domain} alias={alias} hasTasks={hasTasks} />}
        empty={
          q === '' ? (
            <Empty
              title={t('alias.noneYet')}
              action={may('postAliases') && <BeginButton label={t('alias.addFirst')} dialog={adding} />}
            >
              {t('alias.noneYetWhat')}
            </Empty>
          ) : (
            <Empty title={t('alias.noMatch')} />
          )
        }
      />
    </Stack>
  );
}

function Row({ domain, alias, hasTasks }: { domain: string; alias: Alias; hasTasks: boolean }) {
  const { may } = useView();
  const { address, destination, catch_all, created_at } = alias;
  return (
    <Table.Tr>
      <Table.Td>
        <NameAsRead name={address} />
        {catch_all && (
          <Text span size="sm" c="dimmed">
            {' '}
            {t('alias.isCatchAll')}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{destination === null ? t('alias.hidden') : <NameAsRead name={destination} />}</Table.Td>
      <Table.Td>
        <Time at={created_at} relative />
      </Table.Td>
      {hasTasks && (
        <Table.Td>
          <Group gap="xs" wrap="nowrap">
            {may('putAliasesAlias') && <ChangeAlias domain={domain} alias={alias} />}
            {may('deleteAliasesAlias') && <DeleteAlias domain={domain} alias={alias} />}
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  );
}
