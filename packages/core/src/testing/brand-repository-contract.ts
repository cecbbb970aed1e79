import { Brand } from '../brands/brand.js';
import type { BrandRepository } from '../brands/brand-repository.js';
import { isOfPresentRules, LOGO_RULES, type Logo } from '../brands/logo.js';
import type { Partner } from '../partners/partner.js';
import { type DataOf, fieldsOf, type RepositoryPorts, RepositoryWorld } from './repository-world.js';

/** A value for every field, none of which is that of an empty brand. */
const EVERY_FIELD: DataOf<Brand, 'partnerId' | 'isEmpty'> = {
  name: 'Wacholder & Söhne 🌲',
  logo: { type: 'image/svg+xml', data: 'QUFB'.repeat(21_846) },
  colour: '#1f5f8b',
  supportEmail: 'help@juniper.example',
  supportUrl: 'https://juniper.example/help?a=%20',
  language: 'de',
  locked: true,
};

/** The guarantees of every `BrandRepository`. */
export function brandRepositoryContract(open: () => Promise<RepositoryPorts & { brands: BrandRepository }>): void {
  describe('the contract of a brand repository', () => {
    let ports: RepositoryPorts & { brands: BrandRepository };
    let world: RepositoryWorld;
    beforeAll(async () => {
      ports = await open();
      world = new RepositoryWorld(ports);
    });

    const save = (partner: Partner, fields: Partial<Brand>) =>
      ports.unitOfWork.run(() => ports.brands.save(Object.assign(Brand.empty(partner.id), fields)));
    const stored = async ({ id }: Partner) => {
      const brand = await ports.brands.find(id);
      return brand === null ? null : fieldsOf(brand);
    };
    const withBrand = async () => {
      const partner = await world.partner();
      await save(partner, { name: 'A name' });
      return partner;
    };
    const removeIfEnded = ({ id }: Partner) => ports.unitOfWork.run(() => ports.brands.removeIfEnded(id));

    test('save inserts every field, replaces every field, and changes no other partner', async () => {
      const [partner, other] = [await world.partner(), await withBrand()];
      const before = await stored(other);
      expect(await stored(partner)).toBeNull();
      await save(partner, EVERY_FIELD);
      expect(await stored(partner)).toEqual({ partnerId: partner.id, ...EVERY_FIELD });
      await save(partner, {});
      expect(await stored(partner)).toEqual(fieldsOf(Brand.empty(partner.id)));
      expect(await stored(other)).toEqual(before);
    });

    test('remove deletes the brand of one partner, and does nothing without one', async () => {
      const [partner, other] = [await withBrand(), await withBrand()];
      for (let time = 0; time < 2; time += 1) await ports.unitOfWork.run(() => ports.brands.remove(partner.id));
      expect([await stored(partner), await stored(other)]).toEqual([null, expect.anything()]);
    });

    test('only the brand of a partner without keys, domains and a suspension is of one that has ended', async () => {
      const [ended, withKey, withDomain, suspended] = [
        await withBrand(),
        await withBrand(),
        await withBrand(),
        await withBrand(),
      ];
      await world.key(withKey, { active: false });
      const change = (partner: Partner, work: (locked: Partner) => void) =>
        ports.unitOfWork.run(async () => {
          const locked = await ports.partners.lock(partner.id);
          work(locked);
          await ports.partners.save(locked);
        });
      await change(withDomain, (partner) => {
        partner.domainCount = 1;
      });
      await change(suspended, (partner) => partner.suspend('billing', 'all'));
      const ids = await ports.brands.ended(1_000);
      const living = [withKey, withDomain, suspended];
      expect(ids).toContain(ended.id);
      expect(living.filter(({ id }) => ids.includes(id))).toEqual([]);
      expect(await Promise.all([ended, ...living].map(removeIfEnded))).toEqual([true, false, false, false]);
      expect(await stored(ended)).toBeNull();
      for (const partner of living) expect(await stored(partner)).not.toBeNull();
      expect(await ports.brands.ended(1_000)).not.toContain(ended.id);
    });

    test('a logo is found until it is stored as written by the present rules', async () => {
      const data = 'QUFB';
      const logos: [Logo, boolean][] = [
        [{ type: 'image/svg+xml', data }, true],
        [{ type: 'image/svg+xml', rules: 1, data }, true],
        [{ type: 'image/svg+xml', rules: LOGO_RULES['image/svg+xml'], data }, false],
        [{ type: 'image/png', data }, false],
        [{ type: 'image/png', rules: LOGO_RULES['image/png'], data }, false],
      ];
      for (const [logo, isFormer] of logos) {
        const partner = await world.partner();
        await save(partner, { logo });
        expect([logo, (await ports.brands.withFormerLogo(1_000)).includes(partner.id)]).toEqual([logo, isFormer]);
        expect(isOfPresentRules(logo)).toBe(!isFormer);
      }
      expect(await ports.brands.withFormerLogo(1)).toHaveLength(1);
      const without = await withBrand();
      expect(await ports.brands.withFormerLogo(1_000)).not.toContain(without.id);
    });

    test('ended returns at most as many partners as asked for', async () => {
      await withBrand();
      await withBrand();
      expect(await ports.brands.ended(1)).toHaveLength(1);
    });
  });
}
