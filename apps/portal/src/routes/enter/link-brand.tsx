import { useQuery } from '@tanstack/react-query';
import { codePreviewQuery } from '../../api/session.js';
import { BrandMark } from '../../parts/brand-mark.js';
import { Brand, DemoMark } from '../frame/brand.js';

/** Whose page a link leads to: the partner's brand, or nobody's. The code of the terminal leads to the operator's. */
export function LinkBrand({ code }: { code: string }) {
  const { data } = useQuery(codePreviewQuery(code));
  if (data?.kind === 'master') return <Brand />;
  const brand = data?.brand ?? null;
  return (
    <>
      {brand !== null && <BrandMark brand={brand} />}
      <DemoMark />
    </>
  );
}
