import { Button, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { Share2Icon } from 'lucide-react';
import { useChange } from '../../../api/change.js';
import { addressOf, makeLink } from '../../../api/links.js';
import { showProblem } from '../../../parts/form-problems.js';
import { OnceDialog } from '../../../parts/once-dialog.js';
import { ShownOnce } from '../../../parts/shown-once.js';
import { t } from '../../../texts/texts.js';

const USUAL_DAYS = 7;

/**
 * Makes a link to this page for whoever keeps the domain's DNS: it shows the records of this domain and nothing else.
 */
export function ShareDnsPage({ name }: { name: string }) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" leftSection={<Share2Icon size={16} aria-hidden />} onClick={dialog.open}>
        {t('dns.share')}
      </Button>
      <OnceDialog opened={isOpen} onClose={dialog.close} title={t('dns.share')}>
        <LinkForm name={name} />
      </OnceDialog>
    </>
  );
}

function LinkForm({ name }: { name: string }) {
  const form = useForm({ initialValues: { days: USUAL_DAYS } });
  const share = useChange(makeLink, {
    onRefused: (error) => showProblem(form, error, 'days'),
  });
  if (share.data !== undefined)
    return (
      <ShownOnce title={t('dns.theLink')} secret={addressOf(share.data)}>
        {t('dns.linkOnce')}
      </ShownOnce>
    );
  return (
    <form onSubmit={form.onSubmit(({ days }) => share.mutate({ domain: name, scope: 'dns', days }))}>
      <Stack>
        <Text size="sm">{t('dns.linkWhat', { domain: name })}</Text>
        <NumberInput
          label={t('dns.linkDays')}
          description={t('dns.linkDaysRange')}
          min={1}
          max={30}
          allowDecimal={false}
          {...form.getInputProps('days')}
        />
        <Button type="submit" loading={share.isPending}>
          {t('dns.createLink')}
        </Button>
      </Stack>
    </form>
  );
}
