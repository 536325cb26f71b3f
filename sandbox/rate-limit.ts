/** A fixed window: `limit` calls per `windowSeconds`, aligned to the epoch. */
export interface Budget<C> {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Who is counted; null when the call does not draw on this budget. */
  keyOf(call: C): string | null;
}

export interface BudgetState {
  readonly limit: number;
  readonly used: number;
  readonly resetAt: number;
}

/** Counts calls against several budgets at once and reports the one nearest to its end. In memory, as the vendors do. */
export function createBudgets<C>(budgets: readonly Budget<C>[]) {
  const windows = budgets.map(() => ({ index: 0, counts: new Map<string, number>() }));

  function visit(call: C, now: number, cost: number): BudgetState {
    let nearest: BudgetState | undefined;
    for (const [position, budget] of budgets.entries()) {
      const key = budget.keyOf(call);
      const window = windows[position];
      if (key === null || !window) continue;
      const windowMs = budget.windowSeconds * 1000;
      const index = Math.floor(now / windowMs);
      if (window.index !== index) {
        window.index = index;
        window.counts.clear();
      }
      const used = (window.counts.get(key) ?? 0) + cost;
      if (cost > 0) window.counts.set(key, used);
      const state = { limit: budget.limit, used, resetAt: (index + 1) * windowMs };
      if (!nearest || state.limit - state.used < nearest.limit - nearest.used) nearest = state;
    }
    return nearest ?? { limit: 0, used: 0, resetAt: now };
  }

  return {
    count: (call: C, now: number): BudgetState => visit(call, now, 1),
    read: (call: C, now: number): BudgetState => visit(call, now, 0),
  };
}
