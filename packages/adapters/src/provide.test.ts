import 'reflect-metadata';
import { Container } from 'inversify';
import { constant, provide, provideAlias, provideSelf, provideValue } from './provide.js';
import { replace } from './testing/replace.js';

abstract class Engine {
  abstract power(): number;
}
class Petrol extends Engine {
  constructor(private readonly litres: number) {
    super();
  }
  override power(): number {
    return this.litres * 50;
  }
}
class Wheels {
  constructor(readonly count: number) {}
}
class Car {
  constructor(
    readonly engine: Engine,
    readonly name: string,
    readonly wheels: Wheels,
  ) {}
}
class Driver {
  constructor(readonly passenger: Passenger) {}
}
class Passenger {
  constructor(readonly driver: Driver) {}
}

describe('a container', () => {
  let container: Container;

  beforeEach(() => {
    container = new Container();
  });

  it('creates one instance, with dependencies and constants in the order of the constructor', () => {
    const car = provideSelf(container, Car, Engine, constant('red'), Wheels);
    provide(container, Engine, Petrol, constant(2));
    provideValue(container, Wheels, new Wheels(4));
    const made = container.get(car);
    expect([made.engine.power(), made.name, made.wheels.count]).toEqual([100, 'red', 4]);
    expect(container.get(Car)).toBe(made);
  });

  it('does not compile with a dependency that is missing, wrong, swapped or too many', () => {
    const lines = (): void => {
      // @ts-expect-error: the last dependency is missing.
      provideSelf(container, Car, Engine, constant('red'));
      // @ts-expect-error: a name is not an engine.
      provideSelf(container, Car, constant('red'), constant('red'), Wheels);
      // @ts-expect-error: engine and wheels are swapped.
      provideSelf(container, Car, Wheels, constant('red'), Engine);
      // @ts-expect-error: there is no fourth dependency.
      provideSelf(container, Car, Engine, constant('red'), Wheels, Wheels);
      // @ts-expect-error: wheels are not an engine.
      provide(container, Engine, Wheels, constant(4));
      // @ts-expect-error: wheels are not an engine.
      provideValue(container, Engine, new Wheels(4));
    };
    expect(lines).toBeInstanceOf(Function);
  });

  it('refuses a second binding of a token by every function', () => {
    provide(container, Engine, Petrol, constant(2));
    expect(() => provide(container, Engine, Petrol, constant(3))).toThrow('Engine is bound twice');
    expect(() => provideValue(container, Engine, new Petrol(3))).toThrow('Engine is bound twice');
    expect(() => provideAlias(container, Engine, Petrol)).toThrow('Engine is bound twice');
    expect(container.get(Engine).power()).toBe(100);
  });

  it('returns the same instance for both of its tokens', () => {
    provideSelf(container, Petrol, constant(2));
    provideAlias(container, Engine, Petrol);
    expect(container.get(Engine)).toBe(container.get(Petrol));
  });

  it('fails with the missing binding and the class that needs it, before it creates an instance', () => {
    let made = 0;
    class Counted extends Wheels {
      constructor() {
        super(4);
        made += 1;
      }
    }
    provide(container, Wheels, Counted);
    provideSelf(container, Car, Engine, constant('red'), Wheels);
    expect(() => container.get(Car)).toThrow(/No bindings found for service: "Engine".*"Car"/s);
    expect(made).toBe(0);
  });

  it('refuses a circular dependency, and shows its path', () => {
    provideSelf(container, Driver, Passenger);
    provideSelf(container, Passenger, Driver);
    expect(() => container.get(Driver)).toThrow('Circular dependency found: Driver -> Passenger -> Driver');
  });

  it('lets a test replace an existing binding, but not add one', () => {
    provide(container, Engine, Petrol, constant(2));
    provideSelf(container, Car, Engine, constant('red'), Wheels);
    provideValue(container, Wheels, new Wheels(4));
    replace(container, Engine, new Petrol(10));
    expect(container.get(Car).engine.power()).toBe(500);
    expect(() => replace(container, Petrol, new Petrol(1))).toThrow('Petrol is not bound');
  });
});
