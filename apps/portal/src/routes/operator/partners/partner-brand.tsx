import { useQuery } from '@tanstack/react-query';
import { brandQuery } from '../../../api/brand.js';
import { Section } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';
import { BrandFacts } from '../../brand/brand-facts.js';
import { BrandForm } from '../../brand/brand-form.js';
import { useView } from '../../frame/view.js';

/** What the customers of a partner see of it; master changes and locks it. */
export function PartnerBrand({ partnerRef }: { partnerRef: string }) {
  const { may } = useView();
  const query = useQuery(brandQuery(partnerRef));
  return (
    <Section title="Brand">
      <Queried query={query}>
        {(brand) =>
          may('putPartnersPartnerRefBrand') ? (
            <BrandForm key={partnerRef} present={brand} partnerRef={partnerRef} />
          ) : (
            <BrandFacts brand={brand} />
          )
        }
      </Queried>
    </Section>
  );
}
