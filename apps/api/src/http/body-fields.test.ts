import { type EveryFieldOf, onlyField } from './body-fields.js';

class Body {
  email!: string;
  quota_mb?: number;
  name?: string | null;
}

class BodyOfOne {
  retention_days!: number;
}

interface Changes {
  quotaMb?: number | undefined;
  name?: string | null | undefined;
}

type Fits<Value, Type> = Value extends Type ? true : false;
type Lines = EveryFieldOf<Body, Changes, 'email'>;

describe('the fields of a body', () => {
  it('each have a line in what the route makes of them: a forgotten one does not compile', () => {
    const all: Fits<{ quotaMb: number | undefined; name: string }, Lines> = true;
    const forgotten: Fits<{ name: string }, Lines> = false;
    const ofAnotherType: Fits<{ quotaMb: string; name: string }, Lines> = false;
    const notElsewhere: Fits<{ quotaMb: number; name: string }, EveryFieldOf<Body, Changes>> = false;
    expect([all, forgotten, ofAnotherType, notElsewhere]).toEqual([true, false, false, false]);
  });

  it('each set a property of the target: a field for which it has none does not compile', () => {
    type Narrow = EveryFieldOf<Body, Pick<Changes, 'name'>, 'email'>;
    const withField: Fits<{ quotaMb: number; name: string }, Narrow> = false;
    const withoutField: Fits<{ name: string }, Narrow> = false;
    expect([withField, withoutField]).toEqual([false, false]);
  });

  it('cover the target: a property that the body cannot set does not compile', () => {
    type Wide = EveryFieldOf<Body, Changes & { note?: string | undefined }, 'email'>;
    const withoutNote: Fits<{ quotaMb: number; name: string }, Wide> = false;
    const withNote: Fits<{ quotaMb: number; name: string; note: string }, Wide> = true;
    expect([withoutNote, withNote]).toEqual([false, true]);
  });

  it('are read alone only when there is one', () => {
    const body = Object.assign(new BodyOfOne(), { retention_days: 30 });
    type Read<Given extends object> = Parameters<typeof onlyField<Given, 'name' & keyof Given>>[1];
    const ofSeveral: Fits<'name', Read<Body>> = false;
    const ofOne: Fits<'name', Read<Pick<Body, 'name'>>> = true;
    expect([onlyField(body, 'retention_days'), ofSeveral, ofOne]).toEqual([30, false, true]);
  });
});
