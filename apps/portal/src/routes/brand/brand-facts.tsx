import { Stack, Text } from '@mantine/core';
import type { Brand } from '../../api/shapes.js';
import { BrandHelp } from '../../parts/brand-help.js';
import { BrandMark } from '../../parts/brand-mark.js';
import { LANGUAGES } from '../../texts/language.js';

/** The brand as it is, for who may not change it. */
export function BrandFacts({ brand }: { brand: Brand }) {
  const { name, logo, support_email, support_url, language, locked } = brand;
  const isEmpty = [name, logo, support_email, support_url].every((value) => value === null);
  return (
    <Stack gap="sm">
      {locked && <Text size="sm">The operator has locked the brand: only the operator changes it.</Text>}
      {isEmpty && <Text size="sm">No brand is set. The page of a customer names nobody.</Text>}
      <div>
        <BrandMark brand={brand} />
      </div>
      <BrandHelp brand={brand} />
      {language !== null && <Text size="sm">Language: {LANGUAGES[language]}</Text>}
    </Stack>
  );
}
