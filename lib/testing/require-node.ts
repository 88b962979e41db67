// Imported first: whoever runs a script past npm may have an older Node in front.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 24 || (major === 24 && minor < 15)) {
  console.error(
    `Node 24.15 or newer is needed, this is ${process.versions.node}: run the script by npm (npm test)`,
  )
  process.exit(1)
}
