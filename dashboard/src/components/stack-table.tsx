import { Box, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './stack-table.module.css';

/**
 * A table whose rows become cards where it is narrow: the first cell above, the others below it with their `data-label`. A cell
 * with `data-line` is on a separate line. `cellWidth` is what the widest of the others needs there.
 */
export function StackTable({
  label,
  cellWidth = 140,
  children,
}: {
  label: string;
  cellWidth?: number;
  children: ReactNode;
}) {
  return (
    <Box className={classes.frame} style={{ '--cell-width': `${cellWidth}px` }}>
      <Table aria-label={label} verticalSpacing="sm" className={classes.table}>
        {children}
      </Table>
    </Box>
  );
}
