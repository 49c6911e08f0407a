"""What people do on the screen; the page's HTTP and the tests' `Person` both come through here."""
