# One server of OpenStack Swift, from packages that are unpacked and not installed: swift_conf, configuration, section.
# Swift reads the secrets of its hashes from /etc/swift, where nothing of ours belongs.
import sys
import swift.common.utils as utils
import swift.common.wsgi as wsgi

utils.SWIFT_CONF_FILE = sys.argv[1]
utils.validate_configuration = lambda: utils.validate_hash_conf()
sys.exit(wsgi.run_wsgi(sys.argv[2], sys.argv[3]))
