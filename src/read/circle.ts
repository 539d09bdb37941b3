/** What is told of records that name each other as their parents. */
export const CIRCLE = 'The parents of the records form a circle; it was cut before this record.'
