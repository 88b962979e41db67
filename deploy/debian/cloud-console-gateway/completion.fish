complete -c cloud-console-gateway -f
complete -c cloud-console-gateway -l api -x -d 'the address of the API, with /api'
complete -c cloud-console-gateway -l device -x -d 'the id of the device'
complete -c cloud-console-gateway -l watch -d 'reads and reports, and writes nothing'
complete -c cloud-console-gateway -l interval -x -d 'seconds between two reports'
complete -c cloud-console-gateway -l announce -x -a '(command ls /sys/class/net)' -d 'adds the NAT IPs to this network device'
complete -c cloud-console-gateway -l metrics -x -d 'answers GET /metrics on 127.0.0.1'
complete -c cloud-console-gateway -l insecure -d 'sends the token to an http address of another machine'
complete -c cloud-console-gateway -l help -d 'shows the options'
complete -c cloud-console-gateway -n __fish_use_subcommand -a version
