import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { brandQuery } from '../../api/brand.js';
import { Page } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';
import { useView } from '../frame/view.js';
import { BrandFacts } from './brand-facts.js';
import { BrandForm } from './brand-form.js';

/** What the customers of the caller's partner see of it. */
export function BrandPage() {
  const { may } = useView();
  const query = useQuery(brandQuery());
  return (
    <Page title="Brand">
      <Text size="sm">Customers who come by a link see this at the head of their page, and where they find help.</Text>
      <Queried query={query}>
        {(brand) => (may('putMeBrand') && !brand.locked ? <BrandForm present={brand} /> : <BrandFacts brand={brand} />)}
      </Queried>
    </Page>
  );
}
