import { Button, FileButton, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { FileUpIcon } from 'lucide-react';
import { useState } from 'react';
import { useChange } from '../../api/change.js';
import { addDomain } from '../../api/domains.js';
import { showProblem } from '../../parts/form-problems.js';
import { countOf } from '../../parts/numbers.js';
import { Card, Page } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { useView } from '../frame/view.js';
import { AddedDomains } from './added-domains.js';
import { MOST_NAMES, namesIn } from './domain-names.js';

interface Values extends Record<string, string> {
  name: string;
  partner_ref: string;
}

/** Adds one domain and leads to its DNS records, or many with a result for each. */
export function AddDomainsPage() {
  const { caller, may } = useView();
  const [many, setMany] = useState<{ names: string[]; partnerRef: string | null } | null>(null);
  const navigate = useNavigate();
  const form = useForm<Values>({ initialValues: { name: '', partner_ref: '' } });
  const names = namesIn(form.values.name);
  const addOne = useChange(addDomain, {
    onDone: (name) => void navigate({ to: '/domains/$domain/dns', params: { domain: name } }),
    onRefused: (error) => showProblem(form, error, 'name'),
  });
  const add = form.onSubmit(({ partner_ref }) => {
    const [first] = names;
    const partnerRef = partner_ref.trim() || null;
    if (first === undefined) form.setErrors({ name: 'Type a name.' });
    else if (names.length === 1)
      addOne.mutate({ name: first, ...(partnerRef === null ? {} : { partner_ref: partnerRef }) });
    else if (names.length > MOST_NAMES) form.setErrors({ name: `Add at most ${MOST_NAMES} at once.` });
    else setMany({ names, partnerRef });
  });
  if (!may('postDomains'))
    return (
      <Page title="Add domains">
        <Empty title="Nothing to add here">Whoever manages all domains of the partner adds them.</Empty>
      </Page>
    );
  if (many !== null)
    return (
      <Page title="Adding domains">
        <AddedDomains {...many} onAgain={() => setMany(null)} />
      </Page>
    );
  return (
    <Page title="Add domains">
      <Card>
        <form onSubmit={add} className="portal-card-body">
          <Stack maw={560}>
            <Textarea
              label="Names"
              description="One name, or several with a line for each. From a CSV file, the first column is read."
              placeholder={'example.com\nexample.org'}
              autosize
              minRows={3}
              maxRows={14}
              spellCheck={false}
              data-autofocus
              {...form.getInputProps('name')}
            />
            {caller.kind !== 'client' && (
              <TextInput
                label="Partner (optional)"
                description="The reference of the partner who gets them. Empty: they belong to no partner."
                {...form.getInputProps('partner_ref')}
              />
            )}
            <Group>
              <Button type="submit" loading={addOne.isPending}>
                {names.length > 1 ? `Add ${countOf(names.length, 'domain')}` : 'Add domain'}
              </Button>
              <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={(file) => void read(file)}>
                {(props) => (
                  <Button variant="default" leftSection={<FileUpIcon size={16} aria-hidden />} {...props}>
                    Read a file
                  </Button>
                )}
              </FileButton>
            </Group>
            <Text size="sm" c="dimmed">
              The next page shows the DNS records to publish. The domain is verified when they are found.
            </Text>
          </Stack>
        </form>
      </Card>
    </Page>
  );

  async function read(file: File | null) {
    if (file !== null) form.setFieldValue('name', (await file.text()).trim());
  }
}
