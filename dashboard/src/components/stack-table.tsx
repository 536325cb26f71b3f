import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './stack-table.module.css';

/**
 * A table whose rows become cards where it is narrow: the first cell above, the others below it with their `data-label`. A cell
 * with `data-line` has a line of its own.
 */
export function StackTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.frame}>
      <Table aria-label={label} verticalSpacing="sm" className={classes.table}>
        {children}
      </Table>
    </div>
  );
}
