/**
 * Its classes are created in no other file.
 * @jest-environment node
 */
import 'reflect-metadata';
import { needs, token } from '@mailstead/core/needs';
import { Bindings, createAll } from './bindings.js';
import { replace } from './testing/replace.js';

const Name = token<string>('Name');
const Litres = token<number>('Litres');
abstract class Engine {
  abstract power(): number;
}
@needs(Litres)
class Petrol extends Engine {
  constructor(private readonly litres: number) {
    super();
  }
  override power(): number {
    return this.litres * 50;
  }
}
abstract class Part {
  abstract readonly count: number;
}
class Wheels extends Part {
  readonly inches = 16;

  constructor(readonly count: number) {
    super();
  }
}
@needs(Engine, Name, Wheels)
class Car {
  constructor(
    readonly engine: Engine,
    readonly name: string,
    readonly wheels: Wheels,
  ) {}
}
abstract class Passenger {
  abstract readonly car: Car;
}
@needs(Car, Passenger)
class Driver extends Passenger {
  constructor(
    readonly car: Car,
    readonly passenger: Passenger,
  ) {
    super();
  }
}

describe('the bindings of a process', () => {
  let bindings: Bindings;

  beforeEach(() => {
    bindings = new Bindings();
  });

  function bindAll(): void {
    bindings.port(Engine, Petrol);
    bindings.value(Litres, 2);
    bindings.value(Name, 'red');
    bindings.made(Wheels, [], () => new Wheels(4));
    bindings.made(Passenger, [Car], (car) => ({ car }));
  }

  it('create one instance of each class, with what it needs in the order of the constructor', () => {
    bindAll();
    const container = bindings.complete();
    const made = container.get(Car);
    expect([made.engine.power(), made.name, made.wheels.count]).toEqual([100, 'red', 4]);
    expect(container.get(Car)).toBe(made);
    expect(container.get(Passenger).car).toBe(made);
  });

  it('have the same instance for a port and its adapter', () => {
    bindAll();
    const container = bindings.complete();
    expect(container.get(Engine)).toBe(container.get(Petrol));
  });

  it('do not compile with an adapter, a value or a function of another type', () => {
    const lines = (): void => {
      // @ts-expect-error: wheels are not an engine.
      bindings.port(Engine, Wheels);
      // @ts-expect-error: a port is not its adapter.
      bindings.port(Wheels, Part);
      // @ts-expect-error: wheels are not an engine.
      bindings.value(Engine, new Wheels(4));
      // @ts-expect-error: a name is not a number.
      bindings.value(Litres, 'red');
      // @ts-expect-error: a name is not an engine.
      bindings.made(Car, [Name, Name, Wheels], (...made) => new Car(...made));
    };
    expect(lines).toBeInstanceOf(Function);
  });

  it('refuse a second binding', () => {
    bindAll();
    expect(() => bindings.port(Engine, Petrol)).toThrow('Engine is bound twice');
    expect(() => bindings.value(Litres, 3)).toThrow('Litres is bound twice');
    expect(() => bindings.made(Wheels, [], () => new Wheels(3))).toThrow('Wheels is bound twice');
  });

  it('name everything at once that is not bound, with what needs it, and create nothing', () => {
    let made = 0;
    bindings.port(Engine, Petrol);
    bindings.made(Wheels, [], () => {
      made += 1;
      return new Wheels(4);
    });
    bindings.value(Passenger, { car: {} as Car });
    expect(() => bindings.complete()).toThrow('Nothing is bound for Litres (for Petrol); Name (for Car)');
    expect(made).toBe(0);
  });

  it('name an adapter that does not say what it needs', () => {
    bindAll();
    class Unsaid extends Part {
      readonly count = 0;
    }
    bindings.port(Part, Unsaid);
    expect(() => bindings.complete()).toThrow('Nothing is bound for Unsaid (for Part)');
  });

  it('create every class before the first is used, and show a class that needs itself', () => {
    bindAll();
    expect(() => createAll(bindings.complete())).not.toThrow();
    const circular = new Bindings();
    circular.port(Passenger, Driver);
    circular.port(Engine, Petrol);
    circular.value(Litres, 2);
    circular.value(Name, 'red');
    circular.value(Wheels, new Wheels(4));
    expect(() => createAll(circular.complete())).toThrow(/Circular dependency found: .*Driver -> Passenger -> Driver/);
  });

  it('let a test replace what is bound, but not add a binding', () => {
    bindAll();
    const container = bindings.complete();
    replace(container, Litres, 10);
    expect(container.get(Car).engine.power()).toBe(500);
    expect(() => replace(container, Part, new Wheels(1))).toThrow('Part is not bound');
  });
});
