/** A loader of the build: keeps the names that a module exports and drops what they do (lib/tools/scripts/unused.js). */
module.exports = (source) => {
  const names = [
    ...source.matchAll(/^export (?:const|(?:async )?function\*?|class) (\w+)/gm),
    ...source.matchAll(/^export \{ (?:\w+ as )?(\w+) \}/gm),
  ].map(([, name]) => name)
  return [
    'function nothing() { return null }',
    ...names.map((name) => `export { nothing as ${name} }`),
    ...(/^export default /m.test(source) ? ['export default nothing'] : []),
  ].join('\n')
}
