import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { FileUpIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { batchesOf, type MailboxBatch } from '../../../../api/mailbox-batches.js';
import { sentenceOf } from '../../../../api/problem.js';
import { useEnded } from '../../../../api/session.js';
import { loadAgain } from '../../../../load-again.js';
import { FactsTable } from '../../../../parts/facts-table.js';
import { NameAsRead } from '../../../../parts/name-as-read.js';
import { countOf, formatMegabytes } from '../../../../parts/numbers.js';
import { Section } from '../../../../parts/page.js';
import { StatusMark } from '../../../../parts/status-mark.js';
import type { Column } from '../../../../parts/table/column.js';
import { AddedMailboxes } from './added-mailboxes.js';
import type { MailboxFile } from './mailbox-lines.js';

/** A file that was read. Its passwords are in memory alone, until they are sent or the session ends. */
interface ReadFile {
  name: string;
  batches: MailboxBatch[];
  problems: MailboxFile['problems'];
}

interface AddFromFileParts {
  domain: string;
  onClose: () => void;
}

/** Adds the mailboxes of a CSV file: shows what was read, then a result for each line. */
export function AddFromFile({ domain, onClose }: AddFromFileParts) {
  const [file, setFile] = useState<ReadFile | null>(null);
  const [refusal, setRefusal] = useState('');
  const [isAdding, setIsAdding] = useState(false);
  const isOut = useEnded() !== null;
  // The passwords of the file must not stay behind the door.
  useEffect(() => {
    if (isOut && !isAdding) setFile(null);
  }, [isOut, isAdding]);
  const read = async (chosen: File | null) => {
    if (chosen === null) return;
    setFile(null);
    try {
      setFile(await readFile(chosen, domain));
      setRefusal('');
    } catch (error) {
      setRefusal(sentenceOf(error));
    }
  };
  if (isAdding && file !== null) return <AddedMailboxes domain={domain} {...file} onClose={onClose} />;
  return (
    <Section
      title="Add mailboxes from a file"
      actions={
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      }
    >
      <Text size="sm">
        A CSV file whose first line names the columns: email, password or password_hash, and where you want them name,
        quota_mb and external_ref. At most 500 lines and 1 MiB. Nothing is sent before you have seen what was read.
      </Text>
      <Group>
        <FileButton accept=".csv,text/csv" onChange={(chosen) => void read(chosen)}>
          {(props) => (
            <Button variant="default" leftSection={<FileUpIcon size={16} aria-hidden />} {...props}>
              {file === null ? 'Read a file' : 'Read another file'}
            </Button>
          )}
        </FileButton>
      </Group>
      {refusal !== '' && (
        <Alert variant="default" role="alert" title="The file cannot be used">
          {refusal}
        </Alert>
      )}
      {file !== null && <Preview file={file} onAdd={() => setIsAdding(true)} />}
    </Section>
  );
}

async function readFile(file: File, domain: string): Promise<ReadFile> {
  const { mailboxesIn, MOST_BYTES } = await loadAgain(
    () => import('./mailbox-lines.js'),
    () => false,
  );
  // A larger file is refused by its size, without reading more of it.
  const { lines, problems } = mailboxesIn(new Uint8Array(await file.slice(0, MOST_BYTES + 1).arrayBuffer()), domain);
  return { name: file.name, batches: batchesOf(lines), problems };
}

const PROBLEM_COLUMNS: Column<MailboxFile['problems'][number]>[] = [
  { head: 'Line', cell: ({ line }) => line },
  { head: 'What is wrong', phone: 'bare', cell: ({ problem }) => <StatusMark mark="bad">{problem}</StatusMark> },
];

const LINE_COLUMNS: Column<MailboxBatch['lines'][number]>[] = [
  { head: 'Address', cell: ({ body }) => <NameAsRead name={body.email} />, by: ({ body }) => body.email },
  { head: 'Line', align: 'end', cell: ({ line }) => line, by: ({ line }) => line },
  { head: 'Name', phone: 'bare', cell: ({ body }) => body.name },
  { head: 'Password', cell: ({ body }) => (body.password === undefined ? 'as a hash' : 'in the file') },
  { head: 'Storage', align: 'end', cell: ({ body }) => storageOf(body.quota_mb) },
  { head: 'Reference', cell: ({ body }) => body.external_ref },
];

function Preview({ file: { name, batches, problems }, onAdd }: { file: ReadFile; onAdd: () => void }) {
  const lines = batches.flatMap((batch) => batch.lines);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text role="status">
          {name}: {countOf(lines.length, 'mailbox', 'mailboxes')} to add
          {problems.length > 0 && `, ${countOf(problems.length, 'line')} that cannot be used`}.
        </Text>
        {lines.length > 0 && <Button onClick={onAdd}>Add {countOf(lines.length, 'mailbox', 'mailboxes')}</Button>}
      </Group>
      {problems.length > 0 && (
        <FactsTable
          label="Lines that cannot be used"
          rows={problems}
          keyOf={({ line }) => line}
          columns={PROBLEM_COLUMNS}
        />
      )}
      {lines.length > 0 && (
        <FactsTable label="Mailboxes to add" rows={lines} keyOf={({ line }) => line} columns={LINE_COLUMNS} />
      )}
    </Stack>
  );
}

function storageOf(quota: number | undefined): string {
  if (quota === undefined) return 'of the plan';
  return quota === 0 ? 'unlimited' : formatMegabytes(quota);
}
