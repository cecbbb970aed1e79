import { Group, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { aliasesQuery } from '../../../api/aliases.js';
import type { Alias } from '../../../api/shapes.js';
import { BeginButton, useDialog } from '../../../parts/dialog-button.js';
import { List } from '../../../parts/list.js';
import { ListSearch } from '../../../parts/list-search.js';
import { NameAsRead } from '../../../parts/name-as-read.js';
import { Empty } from '../../../parts/states.js';
import type { Column } from '../../../parts/table/column.js';
import { Second } from '../../../parts/table/second.js';
import { Time } from '../../../parts/time.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';
import { useDomainName } from '../domain-name.js';
import { AddAlias } from './add-alias.js';
import { AliasMenu } from './alias-menu.js';

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
        keyOf={({ id }) => id}
        columns={aliasColumns()}
        menu={hasTasks ? (alias) => <AliasMenu domain={domain} alias={alias} /> : undefined}
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

function aliasColumns(): Column<Alias>[] {
  return [
    {
      head: t('alias.address'),
      isLong: true,
      cell: ({ address, catch_all }) => (
        <>
          <NameAsRead name={address} />
          {catch_all && <Second>{t('alias.isCatchAll')}</Second>}
        </>
      ),
      by: ({ address }) => address,
    },
    {
      head: t('alias.deliversTo'),
      cell: ({ destination }) => (destination === null ? t('alias.hidden') : <NameAsRead name={destination} />),
      by: ({ destination }) => destination,
    },
    {
      head: t('alias.added'),
      phone: 'bare',
      cell: ({ created_at }) => <Time at={created_at} relative="day" />,
      by: ({ created_at }) => created_at,
    },
  ];
}
